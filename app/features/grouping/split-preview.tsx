import { Form, useNavigation } from "react-router";
import { MAX_SPLIT_ISSUES, nameSplitVariable } from "../../domain/grouping-rules/issue-split.ts";
import { MAX_DECISION_NAME_CHARS } from "../../domain/grouping-rules/rule-limits.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { useMay } from "../frame/use-may.tsx";
import { ExampleLinks } from "./example-links.tsx";
import type { SplitPage, SplitPreview } from "./get-split-page.server.ts";

/** The issues that a split would make, before it is saved. */
export function SplitPreviewPanel({
  issue,
  preview,
  error,
}: {
  issue: SplitPage["issue"];
  preview: SplitPreview;
  error: { field: string | null; message: string } | null;
}) {
  const mayChange = useMay("event:write");
  const isPending = useNavigation().formData?.get("intent") === "split";
  const by = nameSplitVariable(preview.variable);
  return (
    <Panel
      id="preview"
      title={`Preview: split by ${by}`}
      description={`The newest ${preview.eventCount.toLocaleString("en")} events of ${issue.shortId}, grouped again in ${(preview.tookMs / 1000).toFixed(1)} s. Nothing is saved yet.`}
      isFlush
    >
      {preview.issues.length === 0 ? (
        <p className="p-4 text-sm">No event has a value of this kind. All would stay in {issue.shortId}.</p>
      ) : (
        <Table label="Issues that would come of the split">
          <TableHead>
            <Th className="text-right">Events</Th>
            <Th>Issue</Th>
            <Th className="max-sm:hidden">Examples</Th>
          </TableHead>
          <tbody>
            {preview.issues.map((each) => (
              <tr key={each.title}>
                <Td className="text-right font-mono tabular-nums">{each.eventCount.toLocaleString("en")}</Td>
                <Td>
                  <span className="grid">
                    <span className="font-semibold">A new issue</span>
                    <span className="wrap-anywhere text-muted text-xs">{each.title}</span>
                  </span>
                </Td>
                <Td className="max-sm:hidden">
                  <ExampleLinks examples={each.examples} />
                </Td>
              </tr>
            ))}
            <tr>
              <Td className="text-right font-mono tabular-nums">{preview.stayCount.toLocaleString("en")}</Td>
              <Td>
                <span className="grid">
                  <span className="font-mono text-xs">{issue.shortId}</span>
                  <span className="wrap-anywhere text-muted text-xs">Stays, with its status, comments and number.</span>
                </span>
              </Td>
              <Td className="max-sm:hidden" />
            </tr>
          </tbody>
        </Table>
      )}
      <ul className="grid gap-1 border-line border-t p-4 text-muted text-xs">
        <li>
          At most {MAX_SPLIT_ISSUES} issues come of a split. Events of further values, and events without a value, stay
          in {issue.shortId}.
        </li>
        {preview.beyondCount > 0 && (
          <li>{preview.beyondCount.toLocaleString("en")} values of these events are beyond that, and stay together.</li>
        )}
        {preview.isCut && <li>The time for a preview was over: older events were not looked at.</li>}
        {preview.unreadableCount > 0 && (
          <li>{preview.unreadableCount.toLocaleString("en")} events could not be read, and stay.</li>
        )}
        <li>The newest 50,000 stored events are moved in the background. Nobody is notified of that.</li>
      </ul>
      {mayChange && preview.issues.length > 0 && (
        <Form method="post" className="flex flex-wrap items-end gap-3 border-line border-t p-4">
          <input type="hidden" name="by" value={preview.variable} />
          <TextField
            label="Name of the split"
            name="name"
            maxLength={MAX_DECISION_NAME_CHARS}
            placeholder={`${issue.shortId} by ${by}`}
            error={error?.field === "name" ? error.message : null}
            className="w-full max-w-80"
          />
          <Button type="submit" name="intent" value="split" variant="primary" isPending={isPending}>
            Split {issue.shortId}
          </Button>
          <LinkButton to={`/issues/${issue.id}/split`} variant="quiet">
            Cancel
          </LinkButton>
        </Form>
      )}
    </Panel>
  );
}
