import type { Recovery, Trouble } from "../findings/finding.ts";
import { toMonitorTags } from "../findings/monitor-tags.ts";
import { MONITOR_DEFAULTS, type MonitorConfig, type Run } from "../monitor.ts";
import { MINUTE_MS } from "../time.ts";

/** An environment of a monitor, as issues name it. */
export interface MonitorName {
  id: number;
  projectId: number;
  slug: string;
  environment: string;
}

/** A run that did not go well. */
export type Failure =
  | { kind: "missed"; run: Run }
  | { kind: "error"; run: Run }
  | { kind: "timeout"; run: Run; maxRuntimeMs: number };

/** The logger of issues about monitors. */
export const CRON_LOGGER = "culprit.crons";

/** Characters of the job's output in an event. The page of the monitor shows all that is kept. */
const MAX_OUTPUT_CHARS = 2_000;

export function toTrouble(
  failure: Failure,
  {
    monitor,
    config,
    at,
    failures,
  }: { monitor: MonitorName; config: MonitorConfig | null; at: number; failures: number },
): Trouble {
  const { id, projectId, slug, environment } = monitor;
  const { run } = failure;
  return {
    kind: "trouble",
    projectId,
    subject: toSubject(monitor),
    at,
    logger: CRON_LOGGER,
    level: "error",
    message: `${slug} ${sayFailure(failure)}`,
    environment,
    release: run.release,
    tags: {
      ...toMonitorTags({ kind: "cron", id, name: slug }),
      "monitor.slug": slug,
      "monitor.status": failure.kind,
    },
    contexts: {
      monitor: {
        slug,
        id: String(id),
        environment,
        status: failure.kind,
        ...(config === null ? {} : { schedule: sayRawSchedule(config) }),
        ...(run.dueAt === null ? {} : { due: new Date(run.dueAt).toISOString() }),
        ...(failure.kind === "missed" ? {} : { started: new Date(run.startedAt).toISOString() }),
        ...(run.durationMs === null ? {} : { duration: `${Math.round(run.durationMs / 1000)} s` }),
        ...(run.exitStatus === null ? {} : { exit_status: run.exitStatus }),
        failures_in_a_row: failures,
        ...(run.output === null ? {} : { output: run.output.slice(-MAX_OUTPUT_CHARS) }),
      },
      ...(run.traceId === null ? {} : { trace: { trace_id: run.traceId } }),
    },
  };
}

export function toRecovery(monitor: MonitorName, at: number): Recovery {
  return {
    kind: "recovery",
    projectId: monitor.projectId,
    subject: toSubject(monitor),
    at,
    reason: "the job ran again",
  };
}

function toSubject({ id, environment }: MonitorName): string {
  return `cron ${id} ${environment}`;
}

function sayFailure(failure: Failure): string {
  if (failure.kind === "missed") return "did not run";
  if (failure.kind === "error") return "failed";
  const minutes = Math.round(failure.maxRuntimeMs / MINUTE_MS);
  return `did not end within ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
}

function sayRawSchedule({ schedule, timezone }: MonitorConfig): string {
  if (schedule.type === "interval") return `every ${schedule.value} ${schedule.unit}`;
  return `${schedule.value} (${timezone ?? MONITOR_DEFAULTS.timezone})`;
}
