import type { Workspace } from "../../access/workspace.ts";
import { UPTIME_LIMITS } from "../../domain/uptime/uptime-monitor.ts";
import { readIntent } from "../input/read-intent.ts";
import { readUptimeForm, type UptimeField } from "./read-uptime-form.ts";

export type UptimeResult =
  | { ok: true; message: string; monitorId: number | null }
  | { ok: false; status: 400 | 404 | 409; field: UptimeField | "project" | "intent"; message: string };

const GONE: UptimeResult = { ok: false, status: 404, field: "intent", message: "There is no such monitor." };

/** Begins to check an address, for the project that the form names. */
export async function createUptime({ state, scope }: Workspace, form: FormData, now: number): Promise<UptimeResult> {
  const read = readUptimeForm(form, await state.uptimeLocations.listUptimeLocations());
  if (!read.ok) return read;
  const project = await state.projects.getProjectBySlug(scope, String(form.get("project") ?? ""));
  if (project === null) return { ok: false, status: 400, field: "project", message: "Choose a project." };
  const monitor = await state.uptime.createUptimeMonitor(scope, project.id, read.settings, now);
  if (monitor === null)
    return {
      ok: false,
      status: 409,
      field: "project",
      message: `The server checks ${UPTIME_LIMITS.monitors} addresses already, and not more: delete one first.`,
    };
  return { ok: true, message: "The address is checked from now on.", monitorId: monitor.id };
}

/** Changes a monitor as the pressed button asks. `monitorId` in the result is null if the monitor was deleted. */
export async function changeUptime(
  { state, scope }: Workspace,
  { monitorId, form, now }: { monitorId: number; form: FormData; now: number },
): Promise<UptimeResult> {
  const pressed = readIntent(form, ["save", "pause", "resume", "delete"]);
  if (!pressed.ok) return pressed;
  switch (pressed.intent) {
    case "save": {
      const read = readUptimeForm(form, await state.uptimeLocations.listUptimeLocations());
      if (!read.ok) return read;
      const isSaved = await state.uptime.saveUptimeSettings(scope, monitorId, read.settings, now);
      return isSaved ? { ok: true, message: "Saved. The address is checked again now.", monitorId } : GONE;
    }
    case "delete":
      return (await state.uptime.deleteUptimeMonitor(scope, monitorId))
        ? { ok: true, message: "The monitor is deleted.", monitorId: null }
        : GONE;
    default: {
      const isPaused = pressed.intent === "pause";
      const isDone = await state.uptime.pauseUptimeMonitor(scope, monitorId, isPaused, now);
      const message = isPaused ? "Paused: the address is not checked." : "The address is checked again.";
      return isDone ? { ok: true, message, monitorId } : GONE;
    }
  }
}
