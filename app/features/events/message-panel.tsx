import type { SentryEvent } from "../../domain/event.ts";
import type { Issue } from "../../domain/issue.ts";
import { Panel } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { ValueTree } from "./value-tree.tsx";

/** The message of an event, with its template and parameters. Absent if the page's title says all of it. */
export function MessagePanel({ event, issue }: { event: SentryEvent; issue: Pick<Issue, "type" | "value" | "title"> }) {
  const { logentry } = event;
  const message = logentry?.formatted ?? logentry?.message;
  if (!message || isSaidAbove(event, issue)) return null;
  return (
    <Panel id="message" title="Message" actions={<CopyButton text={message} isIcon label="Copy message" />}>
      <p className="whitespace-pre-wrap font-mono text-sm">{message}</p>
      {logentry?.message && logentry.formatted && logentry.message !== logentry.formatted && (
        <KeyValueList
          className="pt-3"
          pairs={[
            { key: "template", value: logentry.message },
            ...(logentry.params ? [{ key: "parameters", value: <ValueTree value={logentry.params} /> }] : []),
          ]}
        />
      )}
    </Panel>
  );
}

/** Whether the page's title says all of the message. */
function isSaidAbove(
  { logentry }: SentryEvent,
  { type, value, title }: Pick<Issue, "type" | "value" | "title">,
): boolean {
  const message = logentry?.formatted ?? logentry?.message;
  if (logentry?.params || (logentry?.formatted && logentry.message && logentry.formatted !== logentry.message))
    return false;
  return message?.trim() === (type === null ? title : value).trim();
}
