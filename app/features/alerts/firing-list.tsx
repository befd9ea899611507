import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { FiringItem } from "./get-alert-page.server.ts";

const WORDS: Record<string, string> = {
  new: "is new",
  regressed: "came back",
  unarchived: "came back from the archive",
  escalating: "escalates",
  resolved: "was resolved",
  "high-priority": "became high in priority",
};

/** When the rule fired, and for which issue. */
export function FiringList({ firings }: { firings: readonly FiringItem[] }) {
  return (
    <Panel title="When it fired" isFlush>
      {firings.length === 0 ? (
        <EmptyState title="It has not fired yet">The next issue that fits is told, and stands here.</EmptyState>
      ) : (
        <Table label="When it fired">
          <TableHead>
            <Th>When</Th>
            <Th>Issue</Th>
            <Th className="max-sm:hidden">Why</Th>
            <Th isNumber>Told</Th>
          </TableHead>
          <tbody>
            {firings.map((firing) => (
              <tr key={firing.id}>
                <Td className="whitespace-nowrap">
                  <RelativeTime at={firing.at} />
                </Td>
                <Td>
                  {firing.issue === null ? (
                    <span className="text-muted">an issue that is gone</span>
                  ) : (
                    <TextLink to={`/issues/${firing.issue.id}`} className="wrap-anywhere font-mono">
                      {firing.issue.title}
                    </TextLink>
                  )}
                  <span className="block text-muted text-xs sm:hidden">{sayWhy(firing)}</span>
                </Td>
                <Td className="min-w-36 max-sm:hidden">{sayWhy(firing)}</Td>
                <Td isNumber>{firing.targetCount}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function sayWhy({ trigger, peak, endedAt }: FiringItem): string {
  const word = WORDS[trigger];
  if (word !== undefined) return word;
  return `${(peak ?? 0).toLocaleString("en")} ${trigger} at most${endedAt === null ? ", still above the line" : ""}`;
}
