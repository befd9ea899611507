import type { AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import type { MetricSettings } from "../../domain/metrics/metric-monitor.ts";
import type { MonitorConfig } from "../../domain/monitor.ts";
import type { UptimeSettings } from "../../domain/uptime/uptime-monitor.ts";
import type { RuleNameTable } from "../alerts/load-rule-names.server.ts";
import { toUptimeFields } from "../uptime/read-uptime-form.ts";
import type { FileCron, FileMetric, FileRule, FileUptime } from "./watch-file.ts";

/** Null: it names somebody or something that one does not see. */
export function toFileRule(
  rule: AlertRuleDraft,
  { projects, teams, people, channels }: RuleNameTable,
): FileRule | null {
  const slugs = rule.projectIds?.map((id) => projects.find((each) => each.id === id)?.slug ?? null) ?? null;
  if (slugs?.includes(null)) return null;
  const actions: FileRule["actions"] = [];
  for (const action of rule.actions) {
    if (!("id" in action)) {
      actions.push({ kind: action.kind });
      continue;
    }
    const { kind, id } = action;
    const name =
      kind === "team"
        ? teams.find((each) => each.id === id)?.slug
        : kind === "person"
          ? people.find((each) => each.id === id)?.email
          : channels.find((each) => each.id === id)?.name;
    if (name === undefined) return null;
    actions.push({ kind, name });
  }
  return {
    name: rule.name,
    projects: slugs as string[] | null,
    triggers: rule.triggers.map((trigger) => ({ ...trigger })),
    match: rule.match,
    conditions: [...rule.conditions],
    actions,
    frequencyMinutes: rule.frequencyMinutes,
    isEnabled: rule.isEnabled,
  };
}

export function toFileMetric(settings: MetricSettings, project: string): FileMetric {
  return { project, ...settings };
}

export function toFileCron(
  { slug, name, config }: { slug: string; name: string | null; config: MonitorConfig },
  project: string,
): FileCron {
  return {
    project,
    slug,
    name,
    config: {
      schedule: config.schedule,
      timezone: config.timezone,
      checkin_margin: config.checkinMargin,
      max_runtime: config.maxRuntime,
      failure_issue_threshold: config.failureIssueThreshold,
      recovery_threshold: config.recoveryThreshold,
    },
  };
}

export function toFileUptime(settings: UptimeSettings, project: string): FileUptime {
  return { project, ...toUptimeFields(settings) };
}
