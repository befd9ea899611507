import type { Monitor, MonitorConfig, MonitorEnvironment } from "../../domain/monitor.ts";
import type { Project } from "../../domain/project.ts";
import type { Engine } from "../../engine/engine.ts";
import { linkHeader, readCursor, readLimit, toIso } from "./answers.server.ts";
import { readProjectIds } from "./read-project-ids.server.ts";

export async function listMonitorsForApi(engine: Engine, url: URL) {
  const environments = url.searchParams.getAll("environment").filter((name) => name !== "");
  const text = url.searchParams.get("query")?.trim();
  const page = await engine.state.monitors.listMonitors({
    projectIds: await readProjectIds(engine, url),
    ...(environments.length > 0 ? { environments } : {}),
    ...(text ? { text } : {}),
    cursor: readCursor(url),
    limit: readLimit(url),
  });
  const projects = new Map((await engine.state.projects.listProjects()).map((project) => [project.id, project]));
  return {
    monitors: page.monitors.flatMap((monitor) => {
      const project = projects.get(monitor.projectId);
      return project ? [serializeMonitor(monitor, project)] : [];
    }),
    link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }),
    leftOutCount: page.overflows.reduce((sum, { checkInCount }) => sum + checkInCount, 0),
  };
}

function serializeMonitor(monitor: Monitor, { id, name, slug, platform }: Project) {
  return {
    id: String(monitor.id),
    slug: monitor.slug,
    name: monitor.slug,
    type: "cron_job",
    status: "active",
    isMuted: false,
    owner: null,
    dateCreated: toIso(monitor.createdAt),
    project: { id: String(id), name, slug, platform },
    config: monitor.config && serializeConfig(monitor.config),
    environments: monitor.environments.map(serializeEnvironment),
  };
}

function serializeConfig({ schedule, ...config }: MonitorConfig) {
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
function serializeEnvironment({ name, createdAt, lastCheckInAt, lastStatus, lastFinishedStatus }: MonitorEnvironment) {
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
