import { Plus } from "lucide-react";
import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { readPageNumber } from "../../features/input/list-page.ts";
import { changeMetrics } from "../../features/metrics/change-metrics.server.ts";
import { getMetricList } from "../../features/metrics/get-metric-pages.server.ts";
import { MetricList, RestoreMetric } from "../../features/metrics/metric-list.tsx";
import { MonitorFilter } from "../../features/monitors/monitor-filter.tsx";
import { MonitorTabs } from "../../features/monitors/monitor-tabs.tsx";
import { TemplateLinks } from "../../features/monitors/template-links.tsx";
import "../../features/metrics/metrics.css";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberedPages } from "../../ui/numbered-pages.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const text = (url.searchParams.get("q") ?? "").trim().slice(0, 200);
  const projectSlug = url.searchParams.get("project") ?? "";
  const number = readPageNumber(url.searchParams);
  const page = await getMetricList(context.get(workspaceContext), { text, projectSlug, page: number, now: Date.now() });
  return { page, text, projectSlug };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await changeMetrics(context.get(workspaceContext), { form, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function MetricMonitorsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { page, text, projectSlug } = loaderData;
  const isFiltered = text !== "" || projectSlug !== "";
  const add = page.mayChange && (
    <LinkButton
      to={projectSlug ? `/metric-monitors/new?project=${projectSlug}` : "/metric-monitors/new"}
      variant="primary"
      icon={<Plus aria-hidden="true" />}
    >
      Watch a figure
    </LinkButton>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <PageHeader title="Metrics" description="A figure that crosses its line opens an issue." actions={add} />
        <MonitorTabs current="/metric-monitors" />
      </div>
      {actionData?.ok && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.deleted && <RestoreMetric fields={actionData.deleted} />}
        />
      )}
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      {(page.items.length > 0 || isFiltered) && (
        <MonitorFilter
          action="/metric-monitors"
          label="Search by name or search"
          placeholder="Name or search"
          text={text}
          chosen={projectSlug}
          projects={page.projects}
        />
      )}
      {page.items.length > 0 ? (
        <>
          <MetricList items={page.items} />
          <NumberedPages {...page.pages} />
        </>
      ) : (
        <Card>
          {isFiltered ? (
            <EmptyState title="No monitor matches">Another word may find it, or all projects.</EmptyState>
          ) : (
            <EmptyState title="No figure is watched" actions={add}>
              Choose a count, a duration or a rate of errors, transactions, spans, logs or sessions, and a line: Culprit
              looks each minute and opens an issue when the line is crossed. A preview shows what would have happened in
              the last 14 days.
            </EmptyState>
          )}
        </Card>
      )}
      {page.items.length === 0 && !isFiltered && page.mayChange && <TemplateLinks kinds="metrics" project="" />}
    </div>
  );
}

export function meta() {
  return [{ title: "Metrics · Culprit" }];
}

export const handle = { section: "metric-monitors" };
