import { Form } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import type { SubmittedWatchFile } from "./submit-watch-file.server.ts";
import type { WatchChange, WatchKind } from "./watch-file.ts";

const KINDS: Record<WatchKind, string> = {
  rules: "Alert rule",
  metrics: "Metric",
  crons: "Cron",
  uptime: "Uptime",
};
/** The order of the list: what needs attention comes before hundreds of entries that are the same. */
const ACTIONS = {
  refused: { would: "refused", did: "refused", tone: "error" },
  change: { would: "changed", did: "changed", tone: "warning" },
  create: { would: "new", did: "made", tone: "fresh" },
  same: { would: "the same", did: "the same", tone: "neutral" },
} as const;
const ORDER = Object.keys(ACTIONS);

/** The changes that the file would make or has made, entry by entry. Before they are made, with a button for it. */
export function WatchChanges({ result }: { result: Extract<SubmittedWatchFile, { ok: true }> }) {
  const { changes, isApplied, text } = result;
  const countOf = (action: WatchChange["action"]) => changes.filter((each) => each.action === action).length;
  const listed = changes.toSorted((one, other) => ORDER.indexOf(one.action) - ORDER.indexOf(other.action));
  const work = countOf("create") + countOf("change");
  return (
    <Panel
      title={isApplied ? "Imported" : "What would change"}
      actions={
        !isApplied &&
        work > 0 && (
          <Form method="post">
            <input type="hidden" name="text" value={text} />
            <Button type="submit" name="intent" value="apply" variant="primary" size="sm">
              {`Import ${work}`}
            </Button>
          </Form>
        )
      }
      isFlush
    >
      <p className="px-4 py-3 text-sm" role="status">
        {countOf("create")} {isApplied ? "made" : "new"}, {countOf("change")} changed, {countOf("same")} the same,{" "}
        {countOf("refused")} refused.
      </p>
      {changes.length > 0 && (
        <Table label={isApplied ? "What was imported" : "What would change"}>
          <TableHead>
            <Th>What</Th>
            <Th>Name</Th>
            <Th>Project</Th>
            <Th>Result</Th>
          </TableHead>
          <tbody>
            {listed.map(({ kind, index, name, project, action, message }) => (
              <tr key={`${kind} ${index}`}>
                <Td className="whitespace-nowrap">{KINDS[kind]}</Td>
                <Td className="wrap-anywhere">{name}</Td>
                <Td>{project}</Td>
                <Td>
                  <Badge tone={ACTIONS[action].tone}>{ACTIONS[action][isApplied ? "did" : "would"]}</Badge>
                  {message && <span className="wrap-anywhere block text-muted text-xs">{message}</span>}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
