import { Form } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import type { SubmittedWatchFile } from "./submit-watch-file.server.ts";
import type { WatchChange, WatchKind } from "./watch-file.ts";

const KINDS: Record<WatchKind, string> = {
  rules: "Alert rule",
  metrics: "Metric",
  crons: "Cron",
  uptime: "Uptime",
};
const ACTIONS = {
  create: { would: "new", did: "made", tone: "fresh" },
  change: { would: "changed", did: "changed", tone: "warning" },
  same: { would: "the same", did: "the same", tone: "neutral" },
  refused: { would: "refused", did: "refused", tone: "error" },
} as const;

/** What the file would change, or has changed, entry by entry; before it is applied, with the button that does. */
export function WatchChanges({ result }: { result: Extract<SubmittedWatchFile, { ok: true }> }) {
  const { changes, isApplied, text } = result;
  const countOf = (action: WatchChange["action"]) => changes.filter((each) => each.action === action).length;
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
          <thead>
            <tr>
              <Th>What</Th>
              <Th>Name</Th>
              <Th>Project</Th>
              <Th>Result</Th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ kind, index, name, project, action, message }) => (
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
