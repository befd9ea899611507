import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { withOwnLast } from "../../domain/project.ts";
import { DEFAULT_HEALTH_GOAL } from "../../domain/releases/release-health.ts";
import { MetricForm } from "../../features/metrics/metric-form.tsx";
import { readNewMetricFields } from "../../features/metrics/new-metric-fields.ts";
import { submitMetric } from "../../features/metrics/submit-metric.server.ts";
import { TemplateLinks } from "../../features/monitors/template-links.tsx";
import "../../features/metrics/metrics.css";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/new.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { state, scope } = context.get(workspaceContext);
  const [listed, goals] = await Promise.all([state.projects.listProjects(scope), state.health.listGoals(scope)]);
  const projects = withOwnLast(listed).map(({ id, slug, name }) => ({
    slug,
    name,
    goal: goals.get(id) ?? DEFAULT_HEALTH_GOAL,
  }));
  const fields = readNewMetricFields(url.searchParams);
  return { projects, fields, template: url.searchParams.get("template") ?? "" };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await submitMetric(context.get(workspaceContext), { form, monitorId: null, now: Date.now() });
  if (!result.ok) return data(result, { status: result.status });
  if (result.preview === null) throw redirect(`/metric-monitors/${result.monitorId}`);
  return result;
}

export default function NewMetricMonitorPage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="Watch a figure" trail={[{ label: "Metrics", to: "/metric-monitors" }]} />
      {actionData?.ok === false && <Notice tone="error" title={actionData.message} />}
      {!actionData && loaderData.template === "" && (
        <TemplateLinks kinds="metrics" project={loaderData.fields.project ?? ""} />
      )}
      <MetricForm
        key={`${loaderData.template} ${actionData?.line ?? ""}`}
        values={actionData?.fields ?? loaderData.fields}
        result={actionData ?? null}
        projects={loaderData.projects}
        submit="Watch it"
      />
    </div>
  );
}

export function meta() {
  return [{ title: "Watch a figure · Culprit" }];
}

export const handle = { section: "metric-monitors" };
