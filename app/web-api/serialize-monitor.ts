import { z } from "zod";
import type { Monitor, MonitorConfig, MonitorEnvironment } from "../domain/monitor.ts";
import type { Project } from "../domain/project.ts";
import { toIso } from "./answers.ts";
import { serializeProjectBrief } from "./serialize-project.ts";
import { id, instant, projectBrief } from "./shapes.ts";

const environmentStatus = z.enum(["active", "ok", "error"]);

export const monitorAnswer = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  type: z.literal("cron_job"),
  status: z.literal("active"),
  isMuted: z.boolean(),
  owner: z.null(),
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
    .describe("the last one that a check-in carried"),
  environments: z.array(
    z.object({
      name: z.string(),
      status: environmentStatus.describe("of the last check-in that has ended; `active`: none has"),
      isMuted: z.boolean(),
      dateCreated: instant,
      lastCheckIn: instant,
      lastCheckInStatus: z.enum(["in_progress", "ok", "error", "unknown"]),
      nextCheckIn: z.null(),
      nextCheckInLatest: z.null(),
    }),
  ),
});

export function serializeMonitor(monitor: Monitor, project: Project): z.input<typeof monitorAnswer> {
  return {
    id: String(monitor.id),
    slug: monitor.slug,
    name: monitor.slug,
    type: "cron_job",
    status: "active",
    isMuted: false,
    owner: null,
    dateCreated: toIso(monitor.createdAt),
    project: serializeProjectBrief(project),
    config: monitor.config && serializeConfig(monitor.config),
    environments: monitor.environments.map(serializeEnvironment),
  };
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

/** When the next check-in is due is not known: nobody watches schedules. */
function serializeEnvironment({
  name,
  createdAt,
  lastCheckInAt,
  lastStatus,
  lastFinishedStatus,
}: MonitorEnvironment): z.input<typeof monitorAnswer>["environments"][number] {
  return {
    name,
    status: lastFinishedStatus === null ? "active" : lastFinishedStatus === "ok" ? "ok" : "error",
    isMuted: false,
    dateCreated: toIso(createdAt),
    lastCheckIn: toIso(lastCheckInAt),
    lastCheckInStatus: lastStatus,
    nextCheckIn: null,
    nextCheckInLatest: null,
  };
}
