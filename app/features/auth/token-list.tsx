import { Form } from "react-router";
import type { ApiToken } from "../../domain/api-token.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** All tokens, newest first, each with what tells it apart and the button that ends it. */
export function TokenList({ tokens }: { tokens: ApiToken[] }) {
  if (tokens.length === 0) return null;
  return (
    <Panel title="Tokens" isFlush>
      <ul className="divide-y divide-line">
        {tokens.map((token) => (
          <li key={token.id} className="grid gap-2 p-4">
            <TokenItem token={token} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function TokenItem({ token: { id, kind, name, scopes, hint, createdAt, lastUsedAt } }: { token: ApiToken }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="wrap-anywhere text-base">{name}</h3>
        <Badge>{kind === "personal" ? "Personal" : "Organization"}</Badge>
        <code className="text-muted text-xs">
          {kind === "personal" ? "sntryu" : "sntrys"}_…{hint}
        </code>
      </div>
      <p className="wrap-anywhere font-mono text-sm">{scopes.join(" ")}</p>
      <p className="text-muted text-xs">
        Made <RelativeTime at={createdAt} />,{" "}
        {lastUsedAt === null ? (
          "never used"
        ) : (
          <>
            last used <RelativeTime at={lastUsedAt} />
          </>
        )}
      </p>
      <Disclosure summary={<span className="text-sm">Revoke</span>}>
        <Form method="post" className="flex flex-wrap items-center gap-2 pt-3">
          <input type="hidden" name="token" value={id} />
          <Button type="submit" name="intent" value="revoke" variant="danger" size="sm">
            Revoke “{name}”
          </Button>
          <p className="text-muted text-xs">The server refuses it from now on. You cannot undo this.</p>
        </Form>
      </Disclosure>
    </>
  );
}
