import { ArrowRight } from "lucide-react";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ExampleLinks } from "./example-links.tsx";
import type { PreviewIssue, ShownPreview } from "./preview-grouping-rules.server.ts";

/** What unsaved rules would have done to the newest events. */
export function PreviewPanel({ preview, title = "Preview" }: { preview: ShownPreview; title?: string }) {
  const { eventCount, tookMs, flows, flowCount } = preview;
  const newIssues = listNewIssues(preview);
  return (
    <Panel
      id="preview"
      title={title}
      description={`The last ${eventCount.toLocaleString("en")} events, grouped again in ${(tookMs / 1000).toFixed(1)} s. Nothing is saved yet.`}
      isFlush
    >
      <p className="p-4 text-sm">{sayPreview(preview)}</p>
      {flows.length > 0 && (
        <Table label="Events that would go to another issue">
          <TableHead>
            <Th>Events</Th>
            <Th>Today</Th>
            <Th>With these rules</Th>
            <Th className="max-sm:hidden">Examples</Th>
          </TableHead>
          <tbody>
            {flows.map((flow, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a preview does not change
              <tr key={index}>
                <Td className="text-right font-mono tabular-nums">{flow.eventCount.toLocaleString("en")}</Td>
                <Td>{flow.from === null ? "An issue that is gone" : <IssueName issue={flow.from} />}</Td>
                <Td>
                  <span className="flex items-start gap-2">
                    <ArrowRight aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint max-sm:hidden" />
                    {"id" in flow.to ? (
                      <IssueName issue={flow.to} />
                    ) : (
                      <span className="grid">
                        <span className="font-semibold">
                          {newIssues.length > 1 ? `New issue ${newIssues.indexOf(flow.to.hash) + 1}` : "A new issue"}
                        </span>
                        <span className="wrap-anywhere text-muted text-xs">{flow.to.title}</span>
                      </span>
                    )}
                  </span>
                </Td>
                <Td className="max-sm:hidden">
                  <ExampleLinks examples={flow.examples} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <ul className="grid gap-1 border-line border-t p-4 text-muted text-xs">
        {flowCount > flows.length && <li>{flowCount - flows.length} further pairs of issues are not listed.</li>}
        {preview.isCut && <li>The time for a preview was over: older events were not looked at.</li>}
        {preview.unreadableCount > 0 && (
          <li>
            {preview.unreadableCount.toLocaleString("en")} events could not be read: their payloads are deleted or
            damaged.
          </li>
        )}
        {preview.oldestAt !== null && (
          <li>
            Errors that did not occur since <AbsoluteTime at={preview.oldestAt} /> are not in it.
          </li>
        )}
        <li>An event of another browser, and one whose source map comes later, may find another issue than here.</li>
      </ul>
    </Panel>
  );
}

function IssueName({ issue }: { issue: PreviewIssue }) {
  return (
    <span className="grid">
      <TextLink to={`/issues/${issue.id}`} className="font-mono text-xs">
        {issue.shortId}
      </TextLink>
      <span className="wrap-anywhere text-muted text-xs">{issue.title}</span>
    </span>
  );
}

/** The hashes of the new issues, without duplicates: events of several issues can go to the same one. */
function listNewIssues({ flows }: ShownPreview): string[] {
  return [...new Set(flows.flatMap(({ to }) => ("id" in to ? [] : [to.hash])))];
}

/** A sentence like `31 of 5,000 events would go to another issue: 20 would join one that is there, 11 would be in 2 new ones.` */
function sayPreview(preview: ShownPreview): string {
  const { eventCount, ruledCount, movedCount, flows } = preview;
  const count = (number: number, word: string) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  if (eventCount === 0) return "There is no stored event that could be grouped again.";
  if (ruledCount === 0 && movedCount === 0) return "No rule holds for any of these events. All keep their issue.";
  if (movedCount === 0)
    return `Rules hold for ${count(ruledCount, "event")}, and all of these would be in the issue that they are in.`;
  const joined = flows.reduce((sum, { to, eventCount: events }) => sum + ("id" in to ? events : 0), 0);
  const parts = [];
  if (joined > 0) parts.push(`${count(joined, "event")} would join an issue that is there`);
  if (movedCount > joined)
    parts.push(
      `${count(movedCount - joined, "event")} would be in new issues (${listNewIssues(preview).length} in all)`,
    );
  return `${count(movedCount, "event")} of ${eventCount.toLocaleString("en")} would go to another issue: ${parts.join(", ")}. ${count(eventCount - movedCount, "event")} would stay.`;
}
