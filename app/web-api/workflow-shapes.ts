import { z } from "zod";
import {
  type AlertAction,
  type AlertRule,
  type AlertTrigger,
  type ChangeTrigger,
  type CountTrigger,
  isCountTrigger,
} from "../domain/alerts/alert-rule.ts";
import type { MetricMonitor } from "../domain/metrics/metric-monitor.ts";
import type { Project } from "../domain/project.ts";
import { fromSearch, readEnvironment } from "./alert-rule-shapes.ts";
import { toIso, toIsoOrNull } from "./answers.ts";
import { serializeMetricAlert } from "./metric-alert-shapes.ts";
import { instant } from "./shapes.ts";

// Alert rules and metric monitors in the newer words of Sentry's documentation (*Monitors*). Alerts are `workflows`. What finds the issues
// about which they tell is a *detector*.

const condition = z.object({
  id: z.string(),
  type: z.string(),
  comparison: z.unknown(),
  conditionResult: z.union([z.boolean(), z.number()]),
});
const action = z.object({
  id: z.string(),
  type: z.string(),
  integrationId: z.null(),
  data: z.record(z.string(), z.unknown()),
  config: z.object({
    targetType: z.string().nullable(),
    targetIdentifier: z.string().nullable(),
    targetDisplay: z.string().nullable(),
  }),
  status: z.literal("active"),
});
const conditionGroup = z.object({
  id: z.string(),
  organizationId: z.literal("1"),
  logicType: z.enum(["any", "any-short", "all", "none"]),
  conditions: z.array(condition),
  actions: z.array(action),
});

export const workflowAnswer = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.literal("1"),
  createdBy: z.null(),
  dateCreated: instant,
  dateUpdated: instant,
  triggers: conditionGroup,
  actionFilters: z.array(conditionGroup),
  environment: z.string().nullable(),
  config: z.object({ frequency: z.number().describe("minutes") }),
  detectorIds: z.array(z.string()).describe("of the issues of each project that the alert covers"),
  enabled: z.boolean(),
  lastTriggered: instant.nullable(),
  owner: z.null(),
  // The `sentry` CLI reads these three in its list. Alerts had them when they were rules.
  status: z.enum(["active", "disabled"]),
  conditions: z.array(condition).describe("All of `triggers` and `actionFilters`"),
  actions: z.array(action).describe("All of `actionFilters`"),
});

export const detectorAnswer = z.object({
  id: z.string(),
  projectId: z.string(),
  projectSlug: z.string(),
  name: z.string(),
  description: z.null(),
  type: z.enum(["metric_issue", "issue_stream"]),
  workflowIds: z.array(z.string()),
  owner: z.null(),
  createdBy: z.null(),
  dateCreated: instant,
  dateUpdated: instant.nullable(),
  dataSources: z
    .array(
      z.object({
        id: z.string(),
        organizationId: z.literal("1"),
        type: z.literal("snuba_query_subscription"),
        sourceId: z.string(),
        queryObj: z.object({
          id: z.string(),
          status: z.int(),
          snubaQuery: z.object({
            id: z.string(),
            dataset: z.string(),
            query: z.string(),
            aggregate: z.string(),
            timeWindow: z.number().describe("seconds"),
            environment: z.string().nullable(),
            eventTypes: z.array(z.string()),
          }),
        }),
      }),
    )
    .nullable(),
  conditionGroup: conditionGroup.nullable(),
  config: z.object({ detectionType: z.string().optional(), comparisonDelta: z.number().nullable().optional() }),
  enabled: z.boolean(),
});

type Part = Pick<z.input<typeof condition>, "type" | "comparison">;
type Group = z.input<typeof conditionGroup>;

const CHANGES: Record<ChangeTrigger, string> = {
  new: "first_seen_event",
  regressed: "regression_event",
  unarchived: "reappeared_event",
  resolved: "issue_resolved_trigger",
  "high-priority": "new_high_priority_issue",
  escalating: "culprit_escalating",
};
const COUNTS: Record<CountTrigger, string> = {
  events: "event_frequency_count",
  users: "event_unique_user_frequency_count",
};
/** Types of filters, by the last part of the id that a filter has in rules. */
const FILTERS: Record<string, string> = {
  LevelFilter: "level",
  TaggedEventFilter: "tagged_event",
  IssueOccurrencesFilter: "issue_occurrences",
  SearchFilter: "culprit_search",
};

/** Where the numbers of project detectors begin. A project has no number among detectors, and those of metric monitors never get so high. */
const STREAM_IDS_FROM = 1_000_000_000_000;

function toStreamId(projectId: number): string {
  return String(STREAM_IDS_FROM + projectId);
}

/**
 * The alert of a rule. The `steps` of the rule, which tell later while nobody acknowledges the issue, are action filters, too. They have
 * `culprit_minutes_later`.
 */
export function serializeWorkflow(
  rule: AlertRule & { lastFiredAt: number | null },
  projects: readonly Project[],
): z.input<typeof workflowAnswer> {
  const { id, conditions } = rule;
  const [first = "", ...rest] = conditions;
  const environment = rule.match === "all" ? readEnvironment(first) : null;
  const filters = (environment === null ? conditions : rest).map(toFilter);
  const covered = projects.filter((project) => rule.projectIds?.includes(project.id) ?? true);
  const logicType = rule.match === "any" ? ("any-short" as const) : rule.match;
  const triggers = toGroup(`${id}-triggers`, {
    logicType: "any-short",
    parts: rule.triggers.map(toTrigger),
    actions: [],
  });
  const actionFilters = [
    toGroup(`${id}-0`, { logicType, parts: filters, actions: rule.actions }),
    ...rule.steps.map(({ afterMinutes, actions }, index) => {
      const later = { type: "culprit_minutes_later", comparison: afterMinutes };
      return toGroup(`${id}-${index + 1}`, { logicType: "all", parts: [later], actions });
    }),
  ];
  return {
    id: String(id),
    name: rule.name,
    organizationId: "1",
    createdBy: null,
    dateCreated: toIso(rule.createdAt),
    dateUpdated: toIso(rule.changedAt),
    triggers,
    actionFilters,
    environment,
    config: { frequency: rule.frequencyMinutes },
    detectorIds: covered.map((project) => toStreamId(project.id)),
    enabled: rule.isEnabled,
    lastTriggered: toIsoOrNull(rule.lastFiredAt),
    owner: null,
    status: rule.isEnabled ? "active" : "disabled",
    conditions: [triggers, ...actionFilters].flatMap(({ conditions }) => conditions),
    actions: actionFilters.flatMap(({ actions }) => actions),
  };
}

/** The detector of all issues of a project, about which alert rules tell. */
export function serializeStream(
  { id, slug, name, createdAt }: Project,
  workflowIds: readonly string[],
): z.input<typeof detectorAnswer> {
  return {
    ...toDetector(toStreamId(id), { id, slug }, workflowIds),
    name: `Issues of ${name}`,
    type: "issue_stream",
    dateCreated: toIso(createdAt),
    dataSources: null,
    conditionGroup: null,
    config: {},
    enabled: true,
  };
}

/** Severities of the results of conditions, as the documentation numbers them. */
const RESULTS = { critical: 75, warning: 50, ok: 0 } as const;

export function serializeMetricDetector(
  monitor: MetricMonitor,
  project: Pick<Project, "id" | "slug">,
  workflowIds: readonly string[],
): z.input<typeof detectorAnswer> {
  const alert = serializeMetricAlert(monitor, project.slug);
  const { id } = alert;
  const [worse, better] = alert.thresholdType === 1 ? ["lt", "gte"] : ["gt", "lte"];
  const lines: Array<Part & { conditionResult: number }> = [
    ...alert.triggers.map(({ label, alertThreshold }) => ({
      type: worse,
      comparison: alertThreshold,
      conditionResult: RESULTS[label],
    })),
    ...(alert.resolveThreshold === null
      ? []
      : [{ type: better, comparison: alert.resolveThreshold, conditionResult: RESULTS.ok }]),
  ];
  const { dataset, query, aggregate, environment, eventTypes, timeWindow, comparisonDelta } = alert;
  return {
    ...toDetector(id, project, workflowIds),
    name: alert.name,
    type: "metric_issue",
    dateCreated: alert.dateCreated,
    dataSources: [
      {
        id,
        organizationId: "1",
        type: "snuba_query_subscription",
        sourceId: id,
        queryObj: {
          id,
          status: alert.status,
          snubaQuery: { id, dataset, query, aggregate, timeWindow: timeWindow * 60, environment, eventTypes },
        },
      },
    ],
    conditionGroup: {
      id,
      organizationId: "1",
      logicType: "any",
      conditions: lines.map((line, index) => ({ id: `${id}-${index}`, ...line })),
      actions: [],
    },
    config: {
      detectionType: alert.detectionType,
      comparisonDelta: comparisonDelta === null ? null : comparisonDelta * 60,
    },
    enabled: !monitor.isPaused,
  };
}

function toDetector(id: string, project: Pick<Project, "id" | "slug">, workflowIds: readonly string[]) {
  return {
    id,
    projectId: String(project.id),
    projectSlug: project.slug,
    description: null,
    workflowIds: [...workflowIds],
    owner: null,
    createdBy: null,
    dateUpdated: null,
  };
}

function toGroup(
  id: string,
  { logicType, parts, actions }: { logicType: Group["logicType"]; parts: Part[]; actions: readonly AlertAction[] },
): Group {
  return {
    id,
    organizationId: "1",
    logicType,
    conditions: parts.map((part, index) => ({ id: `${id}-${index}`, ...part, conditionResult: true })),
    actions: actions.map((each, index) => toAction(`${id}-${index}`, each)),
  };
}

function toTrigger(trigger: AlertTrigger): Part {
  if (!isCountTrigger(trigger)) return { type: CHANGES[trigger.kind], comparison: true };
  const { kind, count, minutes } = trigger;
  // Sentry's comparison says "more than", Culprit's trigger says "reaches".
  return { type: COUNTS[kind], comparison: { value: count - 1, interval: toInterval(minutes) } };
}

function toInterval(minutes: number): string {
  if (minutes % 1_440 === 0) return `${minutes / 1_440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}hr` : `${minutes}min`;
}

function toFilter(search: string): Part {
  const { id, ...values } = fromSearch(search);
  const type = FILTERS[id.slice(id.lastIndexOf(".") + 1)] ?? "culprit_search";
  return { type, comparison: type === "level" ? { ...values, level: Number(values.level) } : values };
}

function toAction(id: string, told: AlertAction): Group["actions"][number] {
  const [type, targetType] = ((): [string, string | null] => {
    switch (told.kind) {
      case "owners":
        return ["email", "issue_owners"];
      case "team":
        return ["email", "team"];
      case "person":
        return ["email", "user"];
      case "channel":
        return ["culprit_channel", "specific"];
      default:
        return [`culprit_${told.kind.replace("-", "_")}`, null];
    }
  })();
  return {
    id,
    type,
    integrationId: null,
    data: {},
    config: {
      targetType,
      targetIdentifier: "id" in told ? String(told.id) : null,
      targetDisplay: told.kind === "channel" ? (told.place ?? null) : null,
    },
    status: "active",
  };
}
