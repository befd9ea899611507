import { Form } from "react-router";
import { type ApiToken, findTokenState } from "../../domain/api-token.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { useNow } from "../../ui/clock.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** All tokens, newest first, each with its facts and a button that revokes it. */
export function TokenList({ tokens }: { tokens: ApiToken[] }) {
  const now = useNow();
  if (tokens.length === 0) return null;
  const soon = tokens.filter((token) => findTokenState(token, now) === "expires-soon");
  return (
    <>
      {soon.length > 0 && (
        <Notice
          tone="warning"
          title={
            soon.length === 1 ? "A token expires within two weeks." : `${soon.length} tokens expire within two weeks.`
          }
        >
          <p className="wrap-anywhere">
            {soon.map(({ name }) => `“${name}”`).join(", ")}: make a new one, put it where the old one is used, then
            revoke the old one.
          </p>
        </Notice>
      )}
      <Panel title="Tokens" isFlush>
        <ul className="divide-y divide-line">
          {tokens.map((token) => (
            <li key={token.id} className="grid gap-2 p-4">
              <TokenItem token={token} />
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

function TokenItem({ token }: { token: ApiToken }) {
  const { id, kind, name, scopes, hint, createdAt, lastUsedAt, lastUsedFrom, expiresAt } = token;
  const state = findTokenState(token, useNow());
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="wrap-anywhere text-base">{name}</h3>
        <Badge>{kind === "personal" ? "Personal" : "Organization"}</Badge>
        {state === "expires-soon" && <Badge tone="warning">Expires soon</Badge>}
        {state === "expired" && <Badge tone="error">Expired</Badge>}
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
            {lastUsedFrom !== null && ` from ${lastUsedFrom}`}
          </>
        )}
        ,{" "}
        {expiresAt === null ? (
          "never expires"
        ) : (
          <>
            {state === "expired" ? "expired" : "expires"} <AbsoluteTime at={expiresAt} />
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
