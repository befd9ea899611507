import type { Workspace } from "../../access/workspace.ts";
import {
  readMetricForm,
  readMetricSettings,
  type TypedMetric,
  toMetricFields,
} from "../../domain/metrics/read-metric-settings.ts";
import type { Project } from "../../domain/project.ts";
import { createMetric, pauseMetric, saveMetric } from "./change-metrics.server.ts";
import { METRIC_GONE, type MetricRefusal } from "./metric-result.ts";
import { type MetricPreview, previewMetric } from "./preview-metric.server.ts";

export type SubmittedMetric =
  | { ok: true; message: string; monitorId: number; preview: null; fields: null; line: null }
  /** A preview of what the monitor would have done. Nothing was saved. */
  | {
      ok: true;
      message: null;
      monitorId: null;
      preview: MetricPreview;
      fields: Record<string, string>;
      line: string | null;
    }
  | (MetricRefusal & { preview: null; fields: Record<string, string>; line: string | null });

/** Handles the form of a monitor by its pressed button: save, preview, use a suggested line, pause. `monitorId` null: a new monitor. */
export async function submitMetric(
  workspace: Workspace,
  { form, monitorId, now }: { form: FormData; monitorId: number | null; now: number },
): Promise<SubmittedMetric> {
  const intent = String(form.get("intent") ?? "");
  const line = /^use:(-?\d{1,12}(?:\.\d{1,6})?)$/.exec(intent)?.[1] ?? null;
  const typed = withLine(readMetricForm(form), line);
  const fields = { ...toMetricFields(typed), project: String(form.get("project") ?? "").slice(0, 200) };
  const refuse = (refusal: MetricRefusal): SubmittedMetric => ({ ...refusal, preview: null, fields, line });
  if (intent === "preview" || line !== null) {
    const project = await findProject(workspace, { monitorId, slug: fields.project });
    if (project === null)
      return refuse(
        monitorId === null ? { ok: false, status: 400, field: "project", message: "Choose a project." } : METRIC_GONE,
      );
    const read = readMetricSettings({ ...typed, name: typed.name || "Preview" }, now);
    if (!read.ok) return refuse({ ...read, status: 400 });
    const preview = await previewMetric(workspace, { settings: read.settings, project, now });
    if (preview !== null) return { ok: true, message: null, monitorId: null, preview, fields, line };
    const message = "Others look at previews right now. Try again in a few seconds.";
    return refuse({ ok: false, status: 503, field: "list", message });
  }
  const result = await change(workspace, { intent, typed, projectSlug: fields.project, monitorId, now });
  return result.ok ? { ...result, preview: null, fields: null, line: null } : refuse(result);
}

function change(
  workspace: Workspace,
  asked: { intent: string; typed: TypedMetric; projectSlug: string; monitorId: number | null; now: number },
) {
  const { intent, typed, projectSlug, monitorId, now } = asked;
  if (intent === "save")
    return monitorId === null
      ? createMetric(workspace, { typed, projectSlug, now })
      : saveMetric(workspace, { typed, monitorId, now });
  if ((intent === "pause" || intent === "resume") && monitorId !== null)
    return pauseMetric(workspace, { monitorId, isPaused: intent === "pause", now });
  const intents = monitorId === null ? "save or preview" : "save, preview, pause or resume";
  return { ok: false, status: 400, field: "list", message: `intent: must be ${intents}.` } satisfies MetricRefusal;
}

/** The fields with another critical line. Fields that would not fit the new line are removed. */
function withLine(typed: TypedMetric, line: string | null): TypedMetric {
  return line === null ? typed : { ...typed, critical: Number(line), warning: null, recovery: null };
}

async function findProject(
  { state, scope }: Workspace,
  { monitorId, slug }: { monitorId: number | null; slug: string },
): Promise<Project | null> {
  if (monitorId === null) return state.projects.getProjectBySlug(scope, slug);
  const monitor = await state.metrics.getMetricMonitor(scope, monitorId);
  if (monitor === null) return null;
  return (await state.projects.listProjects(scope)).find(({ id }) => id === monitor.projectId) ?? null;
}
