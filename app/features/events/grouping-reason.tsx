import type { SentryEvent } from "../../domain/event.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { explainGrouping } from "../issues/explain-grouping.ts";

/** Explains why the event is in this issue: a sentence, then the parts of the key, then what did not count and why. */
export function GroupingReason({
  event,
  grouping,
  isFoundByAlias,
}: {
  event: SentryEvent;
  grouping: GroupingExplanation | null;
  /** Whether its key was assigned to the issue through another browser's report. The key alone does not explain that. */
  isFoundByAlias: boolean;
}) {
  if (!grouping) return null;
  const account = explainGrouping(grouping, event);
  return (
    <Panel id="grouping" title="Why it is in this issue">
      <div className="grid gap-3">
        <p className="max-w-prose">{account.sentence}</p>
        {isFoundByAlias && (
          <p className="max-w-prose">
            This key was new. The event joined the issue because another browser had reported the same error with other
            frames: browsers do not all list the same frames. The type, the message and the functions next to the error
            agree.
          </p>
        )}
        <details className="fold">
          <summary>Parts of the key, and parts left out</summary>
          <div className="grid gap-3 pt-3">
            <Table label="Parts of the key">
              <TableHead>
                <Th>Part</Th>
                <Th>As it counted</Th>
              </TableHead>
              <tbody>
                {account.parts.map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a key do not move
                  <tr key={index}>
                    <Td className="whitespace-nowrap">{part.label}</Td>
                    <Td className="font-mono">{part.text}</Td>
                  </tr>
                ))}
              </tbody>
            </Table>
            {account.leftOut.length > 0 && (
              <ul className="grid gap-1 text-muted text-sm">
                {account.leftOut.map((omission) => (
                  <li key={omission.reason}>{omission.sentence}</li>
                ))}
              </ul>
            )}
            <p className="text-faint text-xs">
              Key <code>{grouping.hash}</code>, by the rules <code>{grouping.version}</code>
              {grouping.variant && (grouping.variant === "app" ? ", in-app frames only" : ", all frames")}
            </p>
          </div>
        </details>
      </div>
    </Panel>
  );
}
