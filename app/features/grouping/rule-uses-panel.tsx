import type { RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import { listRuleTexts, type RuleUse } from "../../domain/grouping-rules/rule-use.ts";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";

/** How many events each saved rule has decided. Null: there is no rule. */
export function RuleUsesPanel({ rules, uses }: { rules: RuleTexts; uses: readonly RuleUse[] }) {
  const listed = [
    ...listRuleTexts(rules.fingerprintRules).map((text) => ({ kind: "fingerprint" as const, text })),
    ...listRuleTexts(rules.stackRules).map((text) => ({ kind: "stack" as const, text })),
  ];
  if (listed.length === 0) return null;
  return (
    <Panel
      id="uses"
      title="What the rules decide"
      description="Events that came since a rule was written. A changed rule begins at zero."
      isFlush
    >
      <Table label="Rules, with the events that they decided">
        <TableHead>
          <Th>Rule</Th>
          <Th className="text-right">Events</Th>
          <Th>Last</Th>
        </TableHead>
        <tbody>
          {listed.map(({ kind, text }) => {
            const use = uses.find((each) => each.kind === kind && each.rule === text);
            return (
              <tr key={`${kind} ${text}`}>
                <Td className="wrap-anywhere font-mono text-xs">{text}</Td>
                <Td className="text-right font-mono tabular-nums">{(use?.eventCount ?? 0).toLocaleString("en")}</Td>
                <Td className="whitespace-nowrap text-muted text-xs">
                  {use === undefined ? "never" : <RelativeTime at={use.lastAt} />}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}
