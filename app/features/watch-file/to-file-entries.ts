import type { AlertAction, AlertRuleDraft } from "../../domain/alerts/alert-rule.ts";
import type { MetricSettings } from "../../domain/metrics/metric-monitor.ts";
import type { MonitorConfig } from "../../domain/monitor.ts";
import type { UptimeSettings } from "../../domain/uptime/uptime-monitor.ts";
import type { RuleNameTable } from "../alerts/load-rule-names.server.ts";
import { type NamedLocation, namePlaces, toUptimeFields } from "../uptime/read-uptime-form.ts";
import type { FileCron, FileMetric, FileRule, FileUptime } from "./watch-file.ts";

/** Null: the rule names somebody or something that the person does not see. */
export function toFileRule(rule: AlertRuleDraft, names: RuleNameTable): FileRule | null {
  const { projects } = names;
  const slugs = rule.projectIds?.map((id) => projects.find((each) => each.id === id)?.slug ?? null) ?? null;
  if (slugs?.includes(null)) return null;
  const actions = toFileActions(rule.actions, names);
  if (actions === null) return null;
  const steps: FileRule["steps"] = [];
  for (const { afterMinutes, actions: told } of rule.steps) {
    const ofStep = toFileActions(told, names);
    if (ofStep === null) return null;
    steps.push({ afterMinutes, actions: ofStep });
  }
  return {
    name: rule.name,
    projects: slugs as string[] | null,
    triggers: rule.triggers.map((trigger) => ({ ...trigger })),
    match: rule.match,
    conditions: [...rule.conditions],
    actions,
    steps,
    frequencyMinutes: rule.frequencyMinutes,
    isEnabled: rule.isEnabled,
  };
}

function toFileActions(
  actions: readonly AlertAction[],
  { teams, people, channels }: RuleNameTable,
): FileRule["actions"] | null {
  const named: FileRule["actions"] = [];
  for (const action of actions) {
    if (!("id" in action)) {
      named.push({ kind: action.kind });
      continue;
    }
    const { kind, id } = action;
    const name =
      kind === "team" || kind === "on-call"
        ? teams.find((each) => each.id === id)?.slug
        : kind === "person"
          ? people.find((each) => each.id === id)?.email
          : channels.find((each) => each.id === id)?.name;
    if (name === undefined) return null;
    named.push({ kind, name, ...(kind === "channel" && action.place && { place: action.place }) });
  }
  return named;
}

export function toFileMetric(settings: MetricSettings, project: string): FileMetric {
  const entry = { project, ...settings };
  // A project on another server has its own goal.
  return settings.comparison === "goal" ? { ...entry, critical: null, warning: null, recovery: null } : entry;
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

export function toFileUptime(
  settings: UptimeSettings,
  project: string,
  locations: readonly NamedLocation[],
): FileUptime {
  const fields = toUptimeFields(settings);
  return { project, ...fields, places: namePlaces(fields.places, locations).join(", ") };
}
