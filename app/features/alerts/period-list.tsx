import type { PeriodEnd } from "../../domain/alerts/escalation.ts";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { PeriodItem } from "./list-periods.server.ts";
import { SayNext, ToldList } from "./open-periods-notice.tsx";

const END_WORDS: Record<PeriodEnd, string> = {
  resolved: "Resolved",
  archived: "Archived",
  rule: "The rule was turned off",
  limit: "Too many were open",
};

/** Periods of a rule with steps: those that wait for an answer, and those that got one. */
export function PeriodList({ periods }: { periods: readonly PeriodItem[] }) {
  return (
    <Panel
      title="Waiting for an answer"
      description="Issues that the rule told, until they are resolved or archived. Open ones first."
      isFlush
    >
      {periods.length === 0 ? (
        <EmptyState title="Nothing waits">The next issue that the rule tells stands here.</EmptyState>
      ) : (
        <Table label="Waiting for an answer">
          <TableHead>
            <Th>Issue</Th>
            <Th>State</Th>
            <Th>Told</Th>
          </TableHead>
          <tbody>
            {periods.map((period) => (
              <tr key={period.id}>
                <Td className="text-xs">
                  {period.issue === null ? (
                    <span className="text-muted">an issue that is gone</span>
                  ) : (
                    <>
                      <TextLink to={`/issues/${period.issue.id}`} className="font-mono">
                        {period.issue.shortId}
                      </TextLink>{" "}
                      <span className="wrap-anywhere">{period.issue.title}</span>
                    </>
                  )}
                </Td>
                <Td className="min-w-40 text-xs">
                  <State period={period} />
                </Td>
                <Td className="min-w-40">
                  <ToldList period={period} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function State({ period }: { period: PeriodItem }) {
  const { ended, acknowledged } = period;
  const answer = acknowledged && (
    <>
      Acknowledged by {acknowledged.by?.name ?? "somebody"} <RelativeTime at={acknowledged.at} />
    </>
  );
  if (ended !== null)
    return (
      <>
        {END_WORDS[ended.reason]} <RelativeTime at={ended.at} />
        {answer && <span className="block text-muted">{answer}</span>}
      </>
    );
  return answer ?? <SayNext period={period} />;
}
