import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { sayRange } from "../../features/filters/say-range.server.ts";
import { getPerformancePage, type PerformancePage } from "../../features/performance/get-performance-page.server.ts";
import { PerformanceBar } from "../../features/performance/performance-bar.tsx";
import {
  PERFORMANCE_RANGES,
  type PerformanceFilters,
  parsePerformanceFilters,
  toPerformancePath,
} from "../../features/performance/performance-filters.ts";
import { TransactionTable } from "../../features/performance/transaction-table.tsx";
import { VitalTable } from "../../features/performance/vital-table.tsx";
import { OwnLeftOut } from "../../features/projects/own-left-out.tsx";
import { SavedViews } from "../../features/views/saved-views.tsx";
import { Card } from "../../ui/card.tsx";
import { formatCount } from "../../ui/count.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parsePerformanceFilters(url.searchParams);
  const page = await getPerformancePage(context.get(workspaceContext), { filters, now: Date.now() });
  return { ...page, problems: [...sayRange(url.searchParams, PERFORMANCE_RANGES, filters.range), ...page.problems] };
}

export default function PerformanceListPage({ loaderData: page }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const filters = useMemo(() => parsePerformanceFilters(params), [params]);
  const { content } = page;
  return (
    <>
      <PageHeader title="Performance" actions={<SavedViews list="performance" path={toPerformancePath(filters)} />} />
      <PerformanceBar filters={filters} page={page} />
      {page.problems.length > 0 && (
        <Notice tone="warning" className="mb-2">
          {page.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <Card className="overflow-clip">
        <TabLinks
          label="Views of performance"
          tabs={[
            {
              to: toPerformancePath(filters, { view: "transactions" }),
              label: "Transactions",
              isCurrent: content.view === "transactions",
            },
            {
              to: toPerformancePath(filters, { view: "vitals" }),
              label: "Web vitals",
              isCurrent: content.view === "vitals",
            },
          ]}
        />
        {content.rows.length === 0 ? (
          <Empty page={page} filters={filters} />
        ) : content.view === "transactions" ? (
          <TransactionTable rows={content.rows} filters={filters} />
        ) : (
          <VitalTable rows={content.rows} filters={filters} />
        )}
      </Card>
      <Foot page={page} filters={filters} />
      <LeftOut page={page} filters={filters} />
    </>
  );
}

function Foot({ page: { content }, filters }: { page: PerformancePage; filters: PerformanceFilters }) {
  if (content.rows.length === 0) return null;
  const hasOther = content.rows.some(({ name }) => name === null);
  return (
    <div className="grid gap-1 pt-2 text-muted text-xs">
      {content.view === "vitals" && (
        <p>The value is the 75th percentile: three of four loads were no worse. Bounds are those of web.dev.</p>
      )}
      {content.hasMore && <p>These are the {toFirst(content, filters)}. Search for a part of a name to see others.</p>}
      {hasOther && <p>A project has at most 1,000 names here. “Other names” adds up what came under further ones.</p>}
    </div>
  );
}

/** Says where to find the transactions of the server itself, which are left out. */
function LeftOut({ page: { leftOut, content }, filters }: { page: PerformancePage; filters: PerformanceFilters }) {
  if (leftOut === null) return null;
  const what = content.view === "transactions" ? "Transactions" : "Pages";
  return (
    <p className="pt-2 text-muted text-xs">
      <OwnLeftOut what={what} slug={leftOut} to={toPerformancePath(filters, { projectSlugs: [leftOut] })} />
    </p>
  );
}

/** Which rows are shown: `first 100 transactions in this order, of the 1,000 of most time`. */
function toFirst(content: PerformancePage["content"], { sort }: PerformanceFilters): string {
  const count = formatCount(content.rows.length);
  if (content.view === "vitals") return `${count} pages that were loaded most`;
  if (sort === "time") return `${count} transactions of most time`;
  const sorted = content.sorted === null ? "" : `, of the ${formatCount(content.sorted)} of most time`;
  return `first ${count} transactions in this order${sorted}`;
}

function Empty({ page, filters }: { page: PerformancePage; filters: PerformanceFilters }) {
  const isVitals = page.content.view === "vitals";
  if (page.hasAny)
    return (
      <EmptyState title={isVitals ? "No page matches" : "No transaction matches"}>
        Take out a filter, or choose a longer time range.
      </EmptyState>
    );
  if (isVitals)
    return (
      <EmptyState title="No web vitals in this time">
        Browsers measure them with page loads: add <code>Sentry.browserTracingIntegration()</code> and set{" "}
        <code>tracesSampleRate</code> in the front end.
      </EmptyState>
    );
  return (
    <EmptyState title={`No transactions in this time${filters.projectSlugs.length > 0 ? " and these projects" : ""}`}>
      Transactions come with tracing. Set <code>tracesSampleRate</code> where the SDK is started, like{" "}
      <code>{'Sentry.init({ dsn: "…", tracesSampleRate: 0.1 })'}</code>. In Python it is <code>traces_sample_rate</code>
      .
    </EmptyState>
  );
}

export function meta() {
  return [{ title: "Performance · Culprit" }];
}

export const handle = { section: "performance" };
