import type { Workspace } from "../../access/workspace.ts";
import { METRIC_LIMITS } from "../../domain/metrics/metric-monitor.ts";
import {
  readMetricForm,
  readMetricSettings,
  type TypedMetric,
  toMetricFields,
} from "../../domain/metrics/read-metric-settings.ts";
import { readIntent } from "../input/read-intent.ts";
import { METRIC_GONE, type MetricRefusal, type MetricResult } from "./metric-result.ts";

/** Creates a monitor of a figure of a project. */
export async function createMetric(
  { state, scope }: Workspace,
  { typed, projectSlug, now }: { typed: TypedMetric; projectSlug: string; now: number },
): Promise<MetricResult> {
  const project = await state.projects.getProjectBySlug(scope, projectSlug);
  if (project === null) return { ok: false, status: 400, field: "project", message: "Choose a project." };
  const read = readMetricSettings(typed, now);
  if (!read.ok) return { ...read, status: 400 };
  const monitor = await state.metrics.createMetricMonitor(scope, project.id, read.settings, now);
  if (monitor === null)
    return {
      ok: false,
      status: 409,
      field: "list",
      message: `The server has ${METRIC_LIMITS.monitors} metric monitors already, and not more: delete one first.`,
    };
  return { ok: true, message: `${read.settings.name} is watched from now on.`, monitorId: monitor.id };
}

export async function saveMetric(
  { state, scope }: Workspace,
  { typed, monitorId, now }: { typed: TypedMetric; monitorId: number; now: number },
): Promise<MetricResult> {
  const read = readMetricSettings(typed, now);
  if (!read.ok) return { ...read, status: 400 };
  const isSaved = await state.metrics.saveMetricSettings(scope, monitorId, read.settings, now);
  return isSaved ? { ok: true, message: "Saved. It is evaluated again within a minute.", monitorId } : METRIC_GONE;
}

export async function pauseMetric(
  { state, scope }: Workspace,
  { monitorId, isPaused, now }: { monitorId: number; isPaused: boolean; now: number },
): Promise<MetricResult> {
  const isDone = await state.metrics.pauseMetricMonitor(scope, monitorId, isPaused, now);
  const message = isPaused ? "Paused: nothing is evaluated." : "It is evaluated again within a minute.";
  return isDone ? { ok: true, message, monitorId } : METRIC_GONE;
}

/** The form fields with which a deleted monitor can be created again. */
export type DeletedMetric = Array<[name: string, value: string]>;

export async function deleteMetric(
  { state, scope }: Workspace,
  { monitorId, now }: { monitorId: number; now: number },
): Promise<{ ok: true; message: string; deleted: DeletedMetric } | MetricRefusal> {
  const monitor = await state.metrics.getMetricMonitor(scope, monitorId);
  if (monitor === null || !(await state.metrics.deleteMetricMonitor(scope, monitorId, now))) return METRIC_GONE;
  const project = (await state.projects.listProjects(scope)).find(({ id }) => id === monitor.projectId);
  const fields = { ...toMetricFields(monitor.settings), project: project?.slug ?? "" };
  return { ok: true, message: `${monitor.settings.name} is deleted.`, deleted: Object.entries(fields) };
}

/** Handles the forms of the list: it deletes a monitor, or creates it again. */
export async function changeMetrics(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<MetricRefusal | { ok: true; message: string; deleted: DeletedMetric | null }> {
  const pressed = readIntent(form, ["delete", "restore"]);
  if (!pressed.ok) return { ...pressed, field: "list" };
  if (pressed.intent === "delete") return deleteMetric(workspace, { monitorId: toMonitorId(form.get("monitor")), now });
  const typed = readMetricForm(form);
  const made = await createMetric(workspace, { typed, projectSlug: String(form.get("project") ?? ""), now });
  return made.ok ? { ok: true, message: made.message, deleted: null } : made;
}

/** Reads the id of a monitor. 0: the text is none. */
export function toMonitorId(value: unknown): number {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : 0;
}
