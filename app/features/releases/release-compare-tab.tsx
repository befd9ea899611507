import { Form, useSubmit } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { toShortName } from "../issues/resolution-words.ts";
import { CommitList } from "./commit-list.tsx";
import type { ComparedRelease, ReleaseComparison } from "./compare-releases.server.ts";
import { IssueItemList } from "./issue-item-list.tsx";
import { toReleasePath } from "./release-paths.ts";

/** This release beside another one: figures, new issues, issues that are gone, and the commits between. */
export function ReleaseCompareTab({ version, comparison }: { version: string; comparison: ReleaseComparison | null }) {
  const submit = useSubmit();
  if (comparison === null) {
    return <EmptyState title="Nothing to compare with">Its projects have no earlier release.</EmptyState>;
  }
  const { own, base, only, gone, bothCount, commits, choices, differenceUrl } = comparison;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Form
        action={toReleasePath(version, "compare")}
        className="flex flex-wrap items-center gap-2 text-sm"
        onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true, replace: true })}
      >
        <label htmlFor="compare-base">Compared with</label>
        <Select
          id="compare-base"
          name="base"
          controlSize="sm"
          defaultValue={base.version}
          className="w-auto! max-w-full font-mono sm:max-w-96"
        >
          {toOptions(choices, (choice) => [choice, toShortName(choice)])}
        </Select>
        <Button type="submit" size="sm" className="without-script">
          Compare
        </Button>
      </Form>
      <Card className="overflow-clip">
        <Table label="Numbers side by side">
          <TableHead>
            <Th>Release</Th>
            <Th isNumber>Events</Th>
            <Th isNumber>Issues</Th>
            <Th isNumber>New issues</Th>
            <Th>First event</Th>
            <Th>Last event</Th>
          </TableHead>
          <tbody>
            <NumbersRow release={base} />
            <NumbersRow release={own} />
          </tbody>
        </Table>
      </Card>
      <p className="text-muted text-sm">
        {sayIssues(only.count)} only in this one, {sayIssues(gone.count)} only in the other, {sayIssues(bothCount)} in
        both.
      </p>
      <Panel title={`Not in ${toShortName(base.version)} (${sayCount(only.count)})`} isFlush>
        {only.count === 0 ? (
          <p className="p-4 text-muted text-sm">No issue has events of this release only.</p>
        ) : (
          <FirstIssues label="Issues only in this release" list={only} />
        )}
      </Panel>
      <Panel title={`Gone since ${toShortName(base.version)} (${sayCount(gone.count)})`} isFlush>
        {gone.count === 0 ? (
          <p className="p-4 text-muted text-sm">
            {base.issueCount === 0
              ? "The other release has no issues."
              : "Every issue of the other release has events of this one too."}
          </p>
        ) : (
          <FirstIssues label="Issues gone since" list={gone} />
        )}
      </Panel>
      <Panel
        title={`Commits between (${commits.length})`}
        isFlush
        actions={
          differenceUrl && (
            <a href={differenceUrl} rel="noreferrer" className="text-link text-sm">
              See the difference
            </a>
          )
        }
      >
        {commits.length === 0 ? (
          <p className="p-4 text-muted text-sm">The build sent none.</p>
        ) : (
          <CommitList commits={commits} />
        )}
      </Panel>
    </div>
  );
}

function FirstIssues({ label, list: { count, issues } }: { label: string; list: ReleaseComparison["only"] }) {
  return (
    <>
      <IssueItemList label={label} issues={issues} />
      {issues.length < count && (
        <p className="border-line border-t px-4 py-2 text-muted text-xs">
          The {issues.length} seen last of {sayCount(count)}.
        </p>
      )}
    </>
  );
}

function NumbersRow({ release }: { release: ComparedRelease }) {
  const number = (value: number) => <span className="tabular">{value.toLocaleString("en")}</span>;
  return (
    <tr>
      <Td className="min-w-36 font-mono" title={release.version}>
        {toShortName(release.version)}
      </Td>
      <Td isNumber>{number(release.eventCount)}</Td>
      <Td isNumber>{sayCount(release.issueCount)}</Td>
      <Td isNumber>{number(release.newIssueCount)}</Td>
      <Td>{release.firstEventAt === null ? "none" : <RelativeTime at={release.firstEventAt} />}</Td>
      <Td>{release.lastEventAt === null ? "none" : <RelativeTime at={release.lastEventAt} />}</Td>
    </tr>
  );
}

/** The store counts up to 1,000. */
function sayCount(count: number): string {
  return count >= 1_000 ? "1,000+" : String(count);
}

function sayIssues(count: number): string {
  return count === 1 ? "1 issue" : `${sayCount(count)} issues`;
}
