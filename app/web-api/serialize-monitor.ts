import { z } from "zod";
import { MONITOR_DEFAULTS, type Monitor, type MonitorConfig, type MonitorEnvironment } from "../domain/monitor.ts";
import type { Project } from "../domain/project.ts";
import { MINUTE_MS } from "../domain/time.ts";
import { toIso } from "./answers.ts";
import { serializeProjectBrief } from "./serialize-project.ts";
import { id, instant, projectBrief } from "./shapes.ts";

const environmentStatus = z.enum(["active", "ok", "error", "disabled"]);

export const monitorAnswer = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  type: z.literal("cron_job"),
  status: z.enum(["active", "disabled"]).describe("`disabled`: all of its environments are paused"),
  isMuted: z.boolean(),
  owner: z.object({ type: z.enum(["user", "team"]), id: z.string() }).nullable(),
  dateCreated: instant,
  project: projectBrief,
  config: z
    .object({
      schedule_type: z.enum(["crontab", "interval"]),
      schedule: z.union([z.string(), z.tuple([z.int(), z.string()])]),
      checkin_margin: z.int().nullable(),
      max_runtime: z.int().nullable(),
      timezone: z.string().nullable(),
      failure_issue_threshold: z.int().nullable(),
      recovery_threshold: z.int().nullable(),
    })
    .nullable()
    .describe("the last one that a check-in carried, or that somebody saved"),
  environments: z.array(
    z.object({
      name: z.string(),
      status: environmentStatus.describe("how the last run went; `active`: none has ended; `disabled`: it is paused"),
      isMuted: z.boolean(),
      dateCreated: instant,
      lastCheckIn: instant,
      lastCheckInStatus: z.enum(["in_progress", "ok", "error", "unknown"]),
      nextCheckIn: instant.nullable(),
      nextCheckInLatest: instant.nullable().describe("from then on it is missed"),
      activeIncident: z.object({ startingTimestamp: instant }).nullable(),
    }),
  ),
});

export function serializeMonitor(monitor: Monitor, project: Project): z.input<typeof monitorAnswer> {
  return {
    id: String(monitor.id),
    slug: monitor.slug,
    name: monitor.name ?? monitor.slug,
    type: "cron_job",
    status:
      monitor.environments.length > 0 && monitor.environments.every(({ isPaused }) => isPaused) ? "disabled" : "active",
    isMuted: monitor.isMuted,
    owner: toOwner(monitor.config?.owner ?? null),
    dateCreated: toIso(monitor.createdAt),
    project: serializeProjectBrief(project),
    config: monitor.config && serializeConfig(monitor.config),
    environments: monitor.environments.map((environment) => serializeEnvironment(environment, monitor)),
  };
}

function toOwner(owner: string | null): { type: "user" | "team"; id: string } | null {
  const [type, id = ""] = owner?.split(":") ?? [];
  return type === "user" || type === "team" ? { type, id } : null;
}

function serializeConfig({ schedule, ...config }: MonitorConfig): z.input<typeof monitorAnswer>["config"] {
  return {
    schedule_type: schedule.type,
    schedule: schedule.type === "crontab" ? schedule.value : [schedule.value, schedule.unit],
    checkin_margin: config.checkinMargin,
    max_runtime: config.maxRuntime,
    timezone: config.timezone,
    failure_issue_threshold: config.failureIssueThreshold,
    recovery_threshold: config.recoveryThreshold,
  };
}

function serializeEnvironment(
  environment: MonitorEnvironment,
  { config, isMuted }: Monitor,
): z.input<typeof monitorAnswer>["environments"][number] {
  const { name, createdAt, lastCheckInAt, lastStatus, isPaused, state, nextDueAt, troubleAt } = environment;
  const marginMs = Math.max(1, config?.checkinMargin ?? MONITOR_DEFAULTS.checkinMargin) * MINUTE_MS;
  return {
    name,
    status: isPaused
      ? "disabled"
      : state === "waiting"
        ? "active"
        : state === "ok" || state === "late"
          ? "ok"
          : "error",
    isMuted,
    dateCreated: toIso(createdAt),
    lastCheckIn: toIso(lastCheckInAt),
    lastCheckInStatus: lastStatus,
    nextCheckIn: nextDueAt === null ? null : toIso(nextDueAt),
    nextCheckInLatest: nextDueAt === null ? null : toIso(nextDueAt + marginMs),
    activeIncident: troubleAt === null ? null : { startingTimestamp: toIso(troubleAt) },
  };
}
