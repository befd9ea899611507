import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { MetricMonitor } from "../../domain/metrics/metric-monitor.ts";
import { createMetric, deleteMetric, saveMetric, toMonitorId } from "../../features/metrics/change-metrics.server.ts";
import type { MetricRefusal, MetricResult } from "../../features/metrics/metric-result.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import {
  fromMetricAlert,
  metricAlertAnswer,
  metricAlertBody,
  metricAlertChange,
  serializeMetricAlert,
} from "../metric-alert-shapes.ts";
import { PROJECTS, toProjectScope } from "../query.ts";

const RULES = "/organizations/{organization}/alert-rules/";
const RULE = `${RULES}{alertRule}/` as const;
const READ: Endpoint["scopes"] = ["org:read", "project:read"];
const WRITE: Endpoint["scopes"] = ["project:write"];
const one: EndpointAnswer = { what: "The metric alert rule", json: metricAlertAnswer };

export const METRIC_ALERT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: RULES,
    scopes: READ,
    summary: "Metric alert rules (metric monitors), those in trouble first.",
    query: z.object(PROJECTS),
    answers: { 200: { what: "Metric alert rules", json: z.array(metricAlertAnswer) } },
    async handle({ workspace, query }) {
      const { state } = workspace;
      const monitors = await state.metrics.listMetricMonitors(await toProjectScope(workspace, query), {});
      return answer(await serializeAll(workspace, monitors));
    },
  }),
  endpoint({
    method: "POST",
    path: RULES,
    scopes: WRITE,
    summary: "Creates a metric alert rule of one project. Anything that it cannot do here is refused, with the field.",
    body: { json: metricAlertBody },
    answers: { 201: one },
    async handle({ workspace, body, now }) {
      const [projectSlug, ...more] = body.projects ?? [];
      if (projectSlug === undefined || more.length > 0) throw refusal(400, "projects: Must name exactly one project.");
      const made = await createMetric(workspace, { typed: fromMetricAlert(body), projectSlug, now });
      return answerSaved(workspace, made, 201);
    },
  }),
  endpoint({
    method: "GET",
    path: RULE,
    scopes: READ,
    summary: "One metric alert rule.",
    answers: { 200: one },
    async handle({ workspace, params }) {
      const [serialized] = await serializeAll(workspace, [await requireMonitor(workspace, params.alertRule)]);
      return answer(serialized);
    },
  }),
  endpoint({
    method: "PUT",
    path: RULE,
    scopes: WRITE,
    summary: "Changes a metric alert rule. Fields that are absent stay, and so does its project.",
    body: { json: metricAlertChange },
    answers: { 200: one },
    async handle({ workspace, params, body, now }) {
      const monitor = await requireMonitor(workspace, params.alertRule);
      const [known] = await serializeAll(workspace, [monitor]);
      if (body.projects && (body.projects.length !== 1 || body.projects[0] !== known?.projects[0]))
        throw refusal(400, "projects: Cannot be changed. Make another rule.");
      // `detectionType` is left out. The other fields of Sentry follow from those that are kept.
      const { detectionType, ...fields } = known ?? {};
      const kept = detectionType === "goal" ? known : fields;
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const typed = fromMetricAlert(metricAlertBody.parse({ ...kept, ...given }));
      return answerSaved(workspace, await saveMetric(workspace, { typed, monitorId: monitor.id, now }), 200);
    },
  }),
  endpoint({
    method: "DELETE",
    path: RULE,
    scopes: WRITE,
    summary: "Deletes a metric alert rule with its history. Its open issue is resolved.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, params, now }) {
      const { id } = await requireMonitor(workspace, params.alertRule);
      const result = await deleteMetric(workspace, { monitorId: id, now });
      if (!result.ok) throw refuse(result);
      return nothing();
    },
  }),
];

async function serializeAll({ state, scope }: Workspace, monitors: readonly MetricMonitor[]) {
  const slugs = new Map((await state.projects.listProjects(scope)).map(({ id, slug }) => [id, slug]));
  return monitors.map((monitor) => serializeMetricAlert(monitor, slugs.get(monitor.projectId) ?? ""));
}

async function requireMonitor({ state, scope }: Workspace, id: string): Promise<MetricMonitor> {
  const monitor = await state.metrics.getMetricMonitor(scope, toMonitorId(id));
  if (monitor === null) throw refusal(404, "The requested alert rule does not exist");
  return monitor;
}

/** Names of the fields of a monitor in the web API, by those of the form. */
const FIELDS: Record<string, string> = {
  figure: "aggregate",
  windowMinutes: "timeWindow",
  comparison: "detectionType",
  direction: "thresholdType",
  critical: "triggers",
  warning: "triggers",
  recovery: "resolveThreshold",
  project: "projects",
};

function refuse({ status, field, message }: MetricRefusal): Response {
  return refusal(status, field === "list" ? message : `${FIELDS[field] ?? field}: ${message}`);
}

async function answerSaved(workspace: Workspace, result: MetricResult, status: 200 | 201): Promise<Response> {
  if (!result.ok) throw refuse(result);
  const [serialized] = await serializeAll(workspace, [await requireMonitor(workspace, String(result.monitorId))]);
  return answer(serialized, { status });
}
