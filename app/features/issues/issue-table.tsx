// biome-ignore-all lint/a11y/noRedundantRoles: phones lay the table out as a grid, and some browsers then forget its roles

import { Archive, CheckCheck, GitMerge, Merge, Rocket, Trash2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { SortTh } from "../../ui/sort-th.tsx";
import { useMay } from "../frame/use-may.tsx";
import { BulkArchiveOptions } from "./bulk-archive-options.tsx";
import { BulkTriageOptions } from "./bulk-triage-options.tsx";
import {
  ISSUE_RANGES,
  type IssueFilters,
  type IssueSort,
  TREND_SPANS,
  type TrendSpan,
  toIssueListPath,
} from "./issue-filters.ts";
import { IssueRow } from "./issue-row.tsx";
import type { IssueListItem } from "./list-issues.server.ts";
import { ALL_MATCHING, type IssueSelection } from "./use-issue-selection.ts";

const TREND_LABELS: Record<TrendSpan, string> = { "24h": "last 24 hours", "14d": "last 14 days" };

/** The id of the form around the table. */
export const ISSUES_FORM_ID = "issues-form";

/** The rows below a header that sorts them. The header becomes the bar of actions when something is selected. */
export function IssueTable({
  issues,
  filters,
  matchingCount,
  leavingIds,
  selection,
}: {
  issues: readonly IssueListItem[];
  filters: IssueFilters;
  matchingCount: number;
  leavingIds: ReadonlySet<number>;
  selection: IssueSelection;
}) {
  // An issue's page can filter by one environment only.
  const [environment] = filters.environments;
  const search =
    environment !== undefined && filters.environments.length === 1 ? `?${new URLSearchParams({ environment })}` : "";
  const mayChange = useMay("event:write");
  const range = ISSUE_RANGES.find(({ value }) => value === filters.range)?.label ?? "";
  return (
    <>
      <BulkBar selection={selection} issueCount={issues.length} matchingCount={matchingCount} mayChange={mayChange} />
      <table role="table" className="issue-table" aria-label="Issues">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col" className="issue-check">
              <label className="needs-script">
                <span className="sr-only">Select all on this page</span>
                <input
                  type="checkbox"
                  className="checkbox"
                  autoComplete="off"
                  ref={selection.allRef}
                  onChange={selection.onAllChange}
                />
              </label>
            </th>
            <th role="columnheader" scope="col" className="issue-main">
              <span className="flex items-center justify-between gap-2">
                Issue
                <Link
                  to={toIssueListPath(filters, { sort: "priority" })}
                  className="hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
                  aria-current={filters.sort === "priority" ? "true" : undefined}
                >
                  <span className="sr-only">Sort </span>by priority
                </Link>
              </span>
            </th>
            <SortHead name="last_seen" className="issue-seen" filters={filters}>
              Last seen
            </SortHead>
            <SortHead name="first_seen" className="issue-age" filters={filters}>
              Age
            </SortHead>
            <th role="columnheader" scope="col" className="issue-trend">
              <span className="flex items-center justify-between gap-2">
                Trend
                <TrendSwitch filters={filters} />
              </span>
            </th>
            <SortHead name="events" className="issue-events" filters={filters}>
              Events
            </SortHead>
            <SortHead name="users" className="issue-users" filters={filters}>
              Users
            </SortHead>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {issues.map((issue) => (
            <IssueRow
              key={issue.id}
              issue={issue}
              rangeLabel={`in the last ${range}`}
              trendLabel={TREND_LABELS[filters.trend]}
              search={search}
              isLeaving={leavingIds.has(issue.id)}
              mayChange={mayChange}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function SortHead({
  name,
  className,
  filters,
  children,
}: {
  name: IssueSort;
  className: string;
  filters: IssueFilters;
  children: string;
}) {
  return (
    <SortTh
      role="columnheader"
      className={className}
      to={toIssueListPath(filters, { sort: name })}
      sorted={filters.sort === name ? "descending" : undefined}
    >
      {children}
    </SortTh>
  );
}

function TrendSwitch({ filters }: { filters: IssueFilters }) {
  return (
    <span className="trend-switch">
      {(Object.keys(TREND_SPANS) as TrendSpan[]).map((span) => (
        <Link
          key={span}
          to={toIssueListPath(filters, { trend: span, cursor: filters.cursor })}
          preventScrollReset
          replace
          aria-current={filters.trend === span ? "true" : undefined}
          data-tip={`Trend of the ${TREND_LABELS[span]}`}
        >
          <span className="sr-only">Trend of </span>
          {TREND_SPANS[span].label}
        </Link>
      ))}
    </span>
  );
}

function BulkBar({
  selection,
  issueCount,
  matchingCount,
  mayChange,
}: {
  selection: IssueSelection;
  issueCount: number;
  matchingCount: number;
  mayChange: boolean;
}) {
  const { count, isAllMatching } = selection;
  const canTakeAll = !isAllMatching && count === issueCount && matchingCount > issueCount;
  return (
    <fieldset className="issue-bulk" aria-label="Change the selected issues">
      {isAllMatching && <input type="hidden" name="scope" value={ALL_MATCHING} />}
      {mayChange && (
        <>
          <BulkButton intent="resolve" icon={<CheckCheck aria-hidden="true" className="max-sm:hidden" />}>
            Resolve
          </BulkButton>
          <BulkButton intent="resolve-in-next-release" icon={<Rocket aria-hidden="true" />}>
            <span className="max-xl:sr-only">Fixed in next release</span>
          </BulkButton>
          <BulkButton intent="archive" icon={<Archive aria-hidden="true" className="max-sm:hidden" />}>
            Archive
          </BulkButton>
          <BulkArchiveOptions form={ISSUES_FORM_ID} hasSelection={count > 0} />
          <BulkButton intent="reopen" icon={<Undo2 aria-hidden="true" className="max-sm:hidden" />}>
            Reopen
          </BulkButton>
          {count > 1 && !isAllMatching && (
            <>
              <BulkButton intent="merge" icon={<GitMerge aria-hidden="true" className="max-sm:hidden" />}>
                Merge
              </BulkButton>
              <BulkButton intent="merge-once" icon={<Merge aria-hidden="true" />}>
                <span className="max-xl:sr-only">Merge once, no rule</span>
              </BulkButton>
            </>
          )}
        </>
      )}
      <BulkTriageOptions form={ISSUES_FORM_ID} hasSelection={count > 0} />
      {mayChange && (
        <ConfirmDialog
          title="Delete the selected issues?"
          trigger={{
            size: "sm",
            icon: <Trash2 aria-hidden="true" />,
            children: <span className="max-sm:sr-only">Delete…</span>,
          }}
          explanation={
            <p>
              {isAllMatching
                ? `All ${sayCount(matchingCount)} issues that match are`
                : count === 1
                  ? "The selected issue is"
                  : `The ${count} selected issues are`}{" "}
              gone at once with all events, and from the payload files within a day. This cannot be undone. An error
              that happens again makes a new issue.
            </p>
          }
        >
          <Button type="submit" name="intent" value="delete" variant="danger">
            Delete
          </Button>
        </ConfirmDialog>
      )}
      <p className="issue-bulk-count" role="status">
        {isAllMatching && `All ${sayCount(matchingCount)} that match`}
        {!isAllMatching && count > 0 && (
          <>
            {count}
            <span className="max-sm:sr-only"> selected</span>
          </>
        )}
      </p>
      {canTakeAll && (
        <Button size="sm" variant="quiet" onClick={selection.takeAllMatching}>
          Select all {sayCount(matchingCount)}
        </Button>
      )}
    </fieldset>
  );
}

/** The store counts no further than 1,000. */
export function sayCount(count: number): string {
  return count >= 1_000 ? "1,000+" : String(count);
}

function BulkButton({ intent, icon, children }: { intent: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Button type="submit" name="intent" value={intent} size="sm" icon={icon}>
      {children}
    </Button>
  );
}
