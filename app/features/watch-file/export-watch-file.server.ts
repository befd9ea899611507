import type { Workspace } from "../../access/workspace.ts";
import type { AlertRule } from "../../domain/alerts/alert-rule.ts";
import type { MetricMonitor } from "../../domain/metrics/metric-monitor.ts";
import type { Monitor } from "../../domain/monitor.ts";
import type { UptimeMonitor } from "../../domain/uptime/uptime-monitor.ts";
import { loadRuleNames, type RuleNameTable } from "../alerts/load-rule-names.server.ts";
import type { NamedLocation } from "../uptime/read-uptime-form.ts";
import { toFileCron, toFileMetric, toFileRule, toFileUptime } from "./to-file-entries.ts";
import { WATCH_FILE_FORMAT, WATCH_FILE_VERSION, type WatchFile } from "./watch-file.ts";

/** Everything that watches the projects which the person sees. */
export interface Watched {
  names: RuleNameTable;
  rules: AlertRule[];
  metrics: MetricMonitor[];
  crons: Monitor[];
  uptime: UptimeMonitor[];
  /** The places from which addresses are checked. */
  locations: NamedLocation[];
}

const CRONS_AT_ONCE = 100;

export async function loadWatched(workspace: Workspace, now: number): Promise<Watched> {
  const { state, scope } = workspace;
  const [names, rules, metrics, uptime, crons, locations] = await Promise.all([
    loadRuleNames(workspace),
    state.alerts.listRules(scope, now),
    state.metrics.listMetricMonitors(scope, {}),
    state.uptime.listUptimeMonitors(scope, {}),
    listCrons(workspace),
    state.uptimeLocations.listUptimeLocations(),
  ]);
  return { names, rules, metrics, uptime, crons, locations };
}

async function listCrons({ state, scope }: Workspace): Promise<Monitor[]> {
  const crons: Monitor[] = [];
  let cursor: string | null = null;
  do {
    const page = await state.monitors.listMonitors(scope, { cursor, limit: CRONS_AT_ONCE });
    crons.push(...page.monitors);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return crons;
}

/**
 * Exports all of it as one file. Rules that name something which the person does not see are left out and counted, and so are crons without
 * a schedule.
 */
export async function exportWatchFile(
  workspace: Workspace,
  now: number,
): Promise<{ file: WatchFile; leftOut: number }> {
  const { names, rules, metrics, crons, uptime, locations } = await loadWatched(workspace, now);
  const slugOf = (projectId: number) => names.projects.find(({ id }) => id === projectId)?.slug ?? "";
  const fileRules = rules.flatMap((rule) => toFileRule(rule, names) ?? []);
  const fileCrons = crons.flatMap(({ slug, name, config, projectId }) =>
    config === null ? [] : [toFileCron({ slug, name, config }, slugOf(projectId))],
  );
  return {
    file: {
      format: WATCH_FILE_FORMAT,
      version: WATCH_FILE_VERSION,
      rules: fileRules,
      metrics: metrics.map(({ settings, projectId }) => toFileMetric(settings, slugOf(projectId))),
      crons: fileCrons,
      uptime: uptime.map(({ settings, projectId }) => toFileUptime(settings, slugOf(projectId), locations)),
    },
    leftOut: rules.length - fileRules.length + crons.length - fileCrons.length,
  };
}
