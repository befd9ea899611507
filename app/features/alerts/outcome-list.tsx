import type { AlertOutcomeKind } from "../../domain/alerts/outcome.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { OutcomeItem } from "./describe-outcomes.server.ts";

export const OUTCOME_WORDS: Record<AlertOutcomeKind, string> = {
  fired: "Fired",
  unfit: "Did not fit",
  silenced: "Silenced",
  frequency: "Too soon after the last",
  acknowledged: "Somebody has it already",
  known: "Known before the rule began",
  error: "Failed",
};

const TRIGGER_WORDS: Record<string, string> = {
  new: "is new",
  regressed: "came back",
  unarchived: "came back from the archive",
  escalating: "escalates",
  resolved: "was resolved",
  "high-priority": "high in priority",
  events: "number of events",
  users: "number of users",
};

/** What rules decided. `hasRules`: each entry names its rule. */
export function OutcomeList({
  items,
  label,
  hasRules = false,
}: {
  items: readonly OutcomeItem[];
  label: string;
  hasRules?: boolean;
}) {
  return (
    <Table label={label}>
      <TableHead>
        <Th>When</Th>
        {hasRules && <Th>Rule</Th>}
        <Th>Issue</Th>
        <Th className="max-sm:hidden">Saw</Th>
        <Th>What came of it</Th>
      </TableHead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <Td className="whitespace-nowrap">
              <RelativeTime at={item.lastAt} />
              {item.times > 1 && <span className="text-muted"> ×{item.times.toLocaleString("en")}</span>}
            </Td>
            {hasRules && (
              <Td className="wrap-anywhere text-xs">
                {item.rule ? <TextLink to={`/alerts/${item.rule.id}`}>{item.rule.name}</TextLink> : "gone"}
              </Td>
            )}
            <Td className="min-w-32 text-xs sm:min-w-48">
              {item.issue === null ? (
                <span className="text-muted">{item.outcome === "error" ? "" : "an issue that is gone"}</span>
              ) : (
                <>
                  <TextLink to={`/issues/${item.issue.id}`} className="font-mono">
                    {item.issue.shortId}
                  </TextLink>{" "}
                  <span className="wrap-anywhere">{item.issue.title}</span>
                </>
              )}
              <span className="block text-muted sm:hidden">{TRIGGER_WORDS[item.trigger] ?? item.trigger}</span>
            </Td>
            <Td className="min-w-24 text-xs max-sm:hidden">{TRIGGER_WORDS[item.trigger] ?? item.trigger}</Td>
            <Td className="min-w-28 text-xs">
              <Came item={item} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Came({ item: { outcome, detail, told, silenceId } }: { item: OutcomeItem }) {
  const words = OUTCOME_WORDS[outcome];
  if (outcome === "silenced" && silenceId !== null)
    return <TextLink to={`/alerts/silences/${silenceId}`}>{words}</TextLink>;
  if (outcome === "fired") return `Fired: told ${sayTold(told)}`;
  if (detail === "") return words;
  // A rule may have ten conditions, which its form shows. Nobody reads a list with all of them fifty times.
  return (
    <span className="line-clamp-3">
      {words}: <code className="wrap-anywhere">{detail}</code>
    </span>
  );
}

const MAX_NAMED = 3;

function sayTold(told: readonly string[]): string {
  if (told.length === 0) return "nobody, because no receiver sees the project or can be reached";
  const named = told.slice(0, MAX_NAMED).join(", ");
  return told.length > MAX_NAMED ? `${named} and ${told.length - MAX_NAMED} more` : named;
}
