import type { Workspace } from "../../access/workspace.ts";
import { MONITOR_DEFAULTS, MONITOR_LIMITS, type Monitor, type MonitorConfig } from "../../domain/monitor.ts";
import { toSlug } from "../../domain/monitors/monitor-slug.ts";
import { isTimezone } from "../../domain/monitors/schedule.ts";
import { readSentConfig } from "../../domain/monitors/sent-config.ts";
import { readIntent } from "../input/read-intent.ts";
import { toSentConfig } from "./schedule-words.server.ts";

export type CronResult =
  | { ok: true; message: string; monitor: { project: string; slug: string } | null }
  | { ok: false; status: 400 | 404 | 409; field: string | null; message: string };

/** The typed values, for a form that is shown again. */
type Fields = { name: string | null; slug: string; config: MonitorConfig };

const GONE = { ok: false, status: 404, field: null, message: "There is no such monitor." } as const;

/** Creates a monitor before its first check-in. */
export async function createCronByForm(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<CronResult> {
  const { state, scope } = workspace;
  const project = await state.projects.getProjectBySlug(scope, String(form.get("project") ?? ""));
  if (project === null) return { ok: false, status: 404, field: "project", message: "There is no such project." };
  const read = readFields(form);
  if (!read.ok) return read;
  const made = await createCron(workspace, { projectId: project.id, ...read.fields, now });
  return made.ok ? { ok: true, message: "Made.", monitor: { project: project.slug, slug: made.monitor.slug } } : made;
}

export async function createCron(
  { state, scope }: Workspace,
  { now, ...monitor }: Fields & { projectId: number; now: number },
): Promise<{ ok: true; monitor: Monitor } | Extract<CronResult, { ok: false }>> {
  const made = await state.monitors.createMonitor(scope, { ...monitor, at: now });
  if (made.ok) return made;
  if (made.reason === "taken") return slugTaken(monitor.slug);
  if (made.reason === "full")
    return { ok: false, status: 409, field: null, message: "The project has 1,000 monitors, and no more are kept." };
  return GONE;
}

/** Does what the `intent` of the pressed button says. */
export async function changeCronByForm(
  workspace: Workspace,
  { project: projectSlug, slug, form, now }: { project: string; slug: string; form: FormData; now: number },
): Promise<CronResult> {
  const pressed = readIntent(form, ["save", "pause", "resume", "mute", "unmute", "switch-zone", "keep-zone", "delete"]);
  if (!pressed.ok) return { ok: false, status: 400, field: null, message: pressed.message };
  const { state, scope } = workspace;
  const project = await state.projects.getProjectBySlug(scope, projectSlug);
  const monitor = project && (await state.monitors.getMonitor(scope, { projectId: project.id, slug }));
  if (!project || !monitor) return GONE;
  const { intent } = pressed;
  const here = { project: project.slug, slug: monitor.slug };
  if (intent === "delete") {
    await state.monitors.deleteMonitor(scope, monitor.id, now);
    return { ok: true, message: "Deleted.", monitor: null };
  }
  if (intent === "pause" || intent === "resume") {
    const environment = String(form.get("environment") ?? "") || null;
    const isPaused = intent === "pause";
    if (!(await state.monitors.pause(scope, monitor.id, { environment, isPaused, at: now })))
      return { ok: false, status: 404, field: null, message: "There is no such environment." };
    return { ok: true, message: isPaused ? "Paused: nothing is expected." : "It is watched again.", monitor: here };
  }
  if (intent === "switch-zone") return await switchZone(workspace, monitor, { form, here, now });
  if (intent === "keep-zone") {
    await state.monitors.changeMonitor(scope, monitor.id, { keepsZone: true, at: now });
    return { ok: true, message: "Nobody is asked again until the schedule or the time zone changes.", monitor: here };
  }
  if (intent === "mute" || intent === "unmute") {
    await state.monitors.changeMonitor(scope, monitor.id, { isMuted: intent === "mute", at: now });
    const message = intent === "mute" ? "Muted: its troubles open no issue." : "Its troubles open an issue again.";
    return { ok: true, message, monitor: here };
  }
  const read = readFields(form);
  if (!read.ok) return read;
  const { config, ...fields } = read.fields;
  // The form has no field for the owner.
  const owner = monitor.config?.owner;
  const saved = await state.monitors.changeMonitor(scope, monitor.id, {
    ...fields,
    config: owner ? { ...config, owner } : config,
    at: now,
  });
  if (saved.ok) return { ok: true, message: "Saved.", monitor: { ...here, slug: saved.monitor.slug } };
  return saved.reason === "taken" ? slugTaken(fields.slug) : GONE;
}

async function switchZone(
  { state, scope }: Workspace,
  { id, config }: Monitor,
  { form, here, now }: { form: FormData; here: { project: string; slug: string }; now: number },
): Promise<CronResult> {
  const timezone = String(form.get("timezone") ?? "");
  if (config === null || !isTimezone(timezone))
    return { ok: false, status: 400, field: "timezone", message: "There is no such time zone." };
  await state.monitors.changeMonitor(scope, id, { config: { ...config, timezone }, at: now });
  const before = config.timezone ?? MONITOR_DEFAULTS.timezone;
  return { ok: true, message: `The schedule is read in ${timezone} now, and no longer in ${before}.`, monitor: here };
}

function readFields(form: FormData): { ok: true; fields: Fields } | Extract<CronResult, { ok: false }> {
  const field = (name: string) => String(form.get(name) ?? "");
  const name = field("name").trim();
  if (name.length > MONITOR_LIMITS.nameChars)
    return refuse("name", `A name has at most ${MONITOR_LIMITS.nameChars} characters.`);
  const slug = toSlug(field("slug") || name);
  if (name === "" && field("slug").trim() === "") return refuse("name", "Give it a name or a slug.");
  if (slug === "") return refuse("slug", "A slug has at least one letter or digit.");
  const read = readSentConfig(toSentConfig(field));
  // A fault begins with the field's name in check-ins, which is none of a form.
  if (!read.ok) return refuse(fieldOf(read.fault), read.fault.replace(/^[a-z_]+ is (?=a )/, "Must be "));
  return { ok: true, fields: { name: name === "" || name === slug ? null : name, slug, config: read.config } };
}

/** The field of the form to which a fault of a configuration belongs. */
function fieldOf(fault: string): string {
  if (fault.startsWith("checkin_margin")) return "margin";
  if (fault.startsWith("max_runtime")) return "maxRuntime";
  if (fault.startsWith("failure_issue")) return "failures";
  if (fault.startsWith("recovery")) return "recoveries";
  if (fault.includes("time zone")) return "timezone";
  return fault.includes("interval is") ? "value" : "crontab";
}

function refuse(field: string, message: string): Extract<CronResult, { ok: false }> {
  return { ok: false, status: 400, field, message };
}

function slugTaken(slug: string): Extract<CronResult, { ok: false }> {
  return { ok: false, status: 409, field: "slug", message: `There is a monitor ${slug} in this project already.` };
}
