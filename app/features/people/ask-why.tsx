import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { ExplainedAccess } from "./explain-access.server.ts";

/** Asks why a person sees an issue, an event or a trace. The question is in the address, so the answer can be shared as a link. */
export function AskWhy({
  name,
  thing,
  explained,
}: {
  name: string;
  /** The thing that was asked about. Empty: none yet. */
  thing: string;
  explained: ExplainedAccess | null;
}) {
  return (
    <Panel title={`Why can ${name} see this?`}>
      <div className="grid gap-4">
        <Form className="flex max-w-form flex-wrap items-end gap-2" preventScrollReset>
          <div className="min-w-0 flex-1">
            <TextField
              label="Issue, event or trace"
              name="thing"
              required
              maxLength={2_000}
              defaultValue={thing}
              placeholder="SHOP-12, an id, or an address"
            />
          </div>
          <Button type="submit">Ask</Button>
        </Form>
        {thing !== "" && (
          <div role="status" className="grid gap-1">
            {explained === null ? (
              <p className="text-sm">Nothing in your projects has this id or address.</p>
            ) : (
              <>
                <p className="wrap-anywhere text-sm">
                  <strong>{explained.answer}</strong> <TextLink to={explained.to}>Open it</TextLink>
                </p>
                <ul aria-label="Reasons" className="wrap-anywhere grid gap-1 text-muted text-sm">
                  {explained.reasons.flatMap(({ slug, sentences }) =>
                    sentences.map((sentence) => <li key={`${slug} ${sentence}`}>{sentence}</li>),
                  )}
                </ul>
              </>
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}
