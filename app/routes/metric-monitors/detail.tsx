import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toMonitorRulePath } from "../../domain/findings/monitor-tags.ts";
import { formatFigure } from "../../domain/metrics/say-metric.ts";
import { toMonitorId } from "../../features/metrics/change-metrics.server.ts";
import { getMetricPage } from "../../features/metrics/get-metric-pages.server.ts";
import { MetricChart } from "../../features/metrics/metric-chart.tsx";
import { EvaluationTable, MetricStatusBadge, PeriodTable } from "../../features/metrics/metric-facts.tsx";
import { MetricForm } from "../../features/metrics/metric-form.tsx";
import { submitMetric } from "../../features/metrics/submit-metric.server.ts";
import { SpentPanel } from "../../features/releases/spent-panel.tsx";
import "../../features/metrics/metrics.css";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/detail.ts";

const LISTED = 60;

export async function loader({ context, params }: Route.LoaderArgs) {
  const monitorId = toMonitorId(params.monitor);
  const page = await getMetricPage(context.get(workspaceContext), { monitorId, now: Date.now() });
  if (page === null) throw data("There is no such metric monitor.", { status: 404 });
  return { page: { ...page, evaluations: page.evaluations.slice(0, LISTED) } };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const form = await request.formData();
  const monitorId = toMonitorId(params.monitor);
  const result = await submitMetric(context.get(workspaceContext), { form, monitorId, now: Date.now() });
  return result.ok ? result : data(result, { status: result.status });
}

export default function MetricMonitorPage({ loaderData: { page }, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const { item, chart, periods, evaluations, paths } = page;
  const { settings, state } = item;
  const { last } = state;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={<bdi>{settings.name}</bdi>}
        trail={[{ label: "Metrics", to: "/metric-monitors" }]}
        description={
          <>
            {item.sentence} <TextLink to={`/projects/${item.project.slug}`}>{item.project.name}</TextLink>
          </>
        }
        actions={
          page.mayChange && (
            <>
              <LinkButton
                variant="quiet"
                to={toMonitorRulePath(
                  { kind: "metric", id: item.id },
                  { project: item.project.slug, name: settings.name },
                )}
              >
                New alert rule
              </LinkButton>
              <ButtonForm name="intent" value={item.isPaused ? "resume" : "pause"}>
                {item.isPaused ? "Watch again" : "Pause"}
              </ButtonForm>
              <ButtonForm
                action="/metric-monitors"
                name="intent"
                value="delete"
                fields={{ monitor: item.id }}
                variant="quiet"
              >
                Delete
              </ButtonForm>
            </>
          )
        }
      />
      {actionData?.ok && actionData.message && <Notice tone="done" title={actionData.message} />}
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      <Panel title="Last 24 hours" actions={<MetricStatusBadge {...item} />}>
        <div className="grid gap-3">
          <p className="text-sm">
            {last === null ? (
              item.isPaused ? (
                "It is not evaluated."
              ) : (
                "The first evaluation comes within a minute."
              )
            ) : (
              <>
                {last.value === null ? "No value" : <b>{formatFigure(settings.figure, last.value)}</b>}
                {last.release && (
                  <>
                    {" "}
                    with <bdi>{last.release}</bdi>
                  </>
                )}{" "}
                in the window until <RelativeTime at={last.at} />.{" "}
                {last.reason && <span className="text-warning">{last.reason} The state stays as it was. </span>}
                {item.isLate && "It has not been evaluated since: the digest may be behind, or Culprit busy. "}
              </>
            )}{" "}
            <TextLink to={paths.query}>What it counts</TextLink> · <TextLink to={paths.issues}>Its issues</TextLink>
          </p>
          <MetricChart
            settings={settings}
            chart={chart}
            markers={periods
              .map(({ startedAt, level }) => ({ at: startedAt, label: `Opened: ${level}` }))
              .filter(({ at }) => at >= chart.from)}
            span="some minutes"
          />
          <p className="text-muted text-xs">Pale: nothing was evaluated, or there was no value. {page.leftOut}</p>
        </div>
      </Panel>
      {page.crashIssues && (
        <SpentPanel
          issues={page.crashIssues.issues}
          of={`of ${page.crashIssues.release ?? "the project"} in the last 24 hours`}
        />
      )}
      <Panel title="Times in trouble" isFlush={periods.length > 0}>
        {periods.length === 0 ? (
          <p className="text-muted text-sm">None is known.</p>
        ) : (
          <PeriodTable label="Times in trouble" settings={settings} periods={periods} now={page.now} />
        )}
      </Panel>
      {evaluations.length > 0 && (
        <Panel
          title="Evaluations"
          description={`The newest ${evaluations.length}. A day of them is kept; “unknown” and “no data” leave the state as it was.`}
          isFlush
        >
          <div className="max-h-96 overflow-y-auto">
            <EvaluationTable settings={settings} evaluations={evaluations} />
          </div>
        </Panel>
      )}
      {page.mayChange && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="Settings">
          <h2 className="text-base">Settings</h2>
          <MetricForm
            key={`${JSON.stringify(page.fields)} ${actionData?.line ?? ""}`}
            values={actionData?.fields ?? page.fields}
            result={actionData ?? null}
            goal={page.goal}
            submit="Save"
          />
        </section>
      )}
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.item.settings.name ?? "Metrics"} · Culprit` }];
}

export const handle = { section: "metric-monitors" };
