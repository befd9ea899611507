import { z } from "zod";
import {
  type AlertAction,
  type AlertRule,
  type AlertTrigger,
  isCountTrigger,
  MATCHES,
  MAX_FREQUENCY_MINUTES,
  MAX_STEPS,
} from "../domain/alerts/alert-rule.ts";
import type { TypedRuleDraft } from "../domain/alerts/read-rule-draft.ts";
import { printCondition } from "../domain/alerts/rule-conditions.ts";
import { LEVELS } from "../domain/level.ts";
import type { Project } from "../domain/project.ts";
import { quote } from "../domain/search/quote.ts";
import { refusal } from "./answers.ts";

const part = z.looseObject({ id: z.string().max(200) });
const parts = z.array(part).max(20);

const step = z.object({
  afterMinutes: z
    .int()
    .describe("minutes after the first message, from 1 to 10,080; each later than the step before it"),
  actions: parts,
});

export const ruleBody = z.object({
  name: z.string(),
  actionMatch: z.enum(["any", "all", "none"]).default("any").describe("how `conditions` are joined: any, or one alone"),
  conditions: parts.describe("what the rule waits for"),
  filterMatch: z.enum(MATCHES).default("all"),
  filters: parts.default([]),
  actions: parts.describe("who is told"),
  steps: z.array(step).max(MAX_STEPS).default([]).describe("who else is told while nobody acknowledges the issue"),
  frequency: z.int().min(0).max(MAX_FREQUENCY_MINUTES).describe("minutes"),
  environment: z.string().max(200).nullish(),
  owner: z.string().nullish().describe("refused"),
  status: z.enum(["active", "disabled"]).optional(),
});
export const ruleChange = ruleBody.partial().extend({
  actionMatch: z.enum(["any", "all", "none"]).optional(),
  filterMatch: z.enum(MATCHES).optional(),
  filters: parts.optional(),
  steps: ruleBody.shape.steps.unwrap().optional(),
});
export type RuleBody = z.output<typeof ruleBody>;

export const ruleAnswer = z.object({
  id: z.string(),
  name: z.string(),
  actionMatch: z.literal("any"),
  conditions: z.array(part),
  filterMatch: z.enum(MATCHES),
  filters: z.array(part),
  actions: z.array(part),
  steps: z.array(z.object({ afterMinutes: z.number(), actions: z.array(part) })),
  frequency: z.number(),
  environment: z.string().nullable(),
  owner: z.null(),
  projects: z.array(z.string()),
  status: z.enum(["active", "disabled"]),
  dateCreated: z.string(),
  dateModified: z.string(),
});

const FREQUENCY = "sentry.rules.conditions.event_frequency";
const CHANGES: Record<Exclude<AlertTrigger["kind"], "events" | "users">, string> = {
  new: "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition",
  regressed: "sentry.rules.conditions.regression_event.RegressionEventCondition",
  unarchived: "sentry.rules.conditions.reappeared_event.ReappearedEventCondition",
  "high-priority": "sentry.rules.conditions.high_priority_issue.NewHighPriorityIssueCondition",
  escalating: "culprit.rules.conditions.EscalatingCondition",
  resolved: "culprit.rules.conditions.ResolvedCondition",
};
const COUNTS = {
  events: `${FREQUENCY}.EventFrequencyCondition`,
  users: `${FREQUENCY}.EventUniqueUserFrequencyCondition`,
} as const;
const UNITS = { m: 1, h: 60, d: 1_440 } as const;

const LEVEL_FILTER = "sentry.rules.filters.level.LevelFilter";
const TAG_FILTER = "sentry.rules.filters.tagged_event.TaggedEventFilter";
const COUNT_FILTER = "sentry.rules.filters.issue_occurrences.IssueOccurrencesFilter";
const SEARCH_FILTER = "culprit.rules.filters.SearchFilter";

const MAIL = "sentry.mail.actions.NotifyEmailAction";
const OWN_ACTIONS = {
  members: "culprit.rules.actions.MembersAction",
  recipients: "culprit.rules.actions.RecipientsAction",
  assignee: "culprit.rules.actions.AssigneeAction",
} as const;
const CHANNEL_ACTION = "culprit.rules.actions.ChannelAction";
const ON_CALL_ACTION = "culprit.rules.actions.OnCallAction";

type Part = z.output<typeof part>;

/** Reads the body as a draft of a rule. @throws a 400 answer that names the field. */
export function fromRuleBody(body: RuleBody, { projectIds }: { projectIds: readonly number[] | null }): TypedRuleDraft {
  if (body.owner) throw refusal(400, "owner: Must be absent. Rules have no owner here.");
  if (body.actionMatch !== "any" && body.conditions.length > 1)
    throw refusal(400, `actionMatch: Must be "any". A rule waits for one change at a time.`);
  const { environment } = body;
  if (environment && body.filters.length > 0 && body.filterMatch !== "all")
    throw refusal(400, `environment: Needs filterMatch "all". Otherwise make it one of the filters.`);
  const searches = body.filters.map((filter, index) => toSearch(filter, `filters[${index}]`));
  return {
    name: body.name,
    projectIds,
    triggers: body.conditions.map((condition, index) => toTrigger(condition, `conditions[${index}]`)),
    match: body.filters.length === 0 ? "all" : body.filterMatch,
    conditions: environment ? [`environment:${quote(environment)}`, ...searches] : searches,
    actions: body.actions.map((action, index) => toAction(action, `actions[${index}]`)),
    steps: body.steps.map(({ afterMinutes, actions }, index) => ({
      afterMinutes,
      actions: actions.map((action, place) => toAction(action, `steps[${index}].actions[${place}]`)),
    })),
    frequencyMinutes: body.frequency,
    isEnabled: body.status !== "disabled",
  };
}

export function serializeRule(rule: AlertRule, projects: readonly Project[]): z.input<typeof ruleAnswer> {
  const [first = "", ...rest] = rule.conditions;
  const environment = rule.match === "all" ? readEnvironment(first) : null;
  return {
    id: String(rule.id),
    name: rule.name,
    actionMatch: "any",
    conditions: rule.triggers.map(fromTrigger),
    filterMatch: rule.match,
    filters: (environment === null ? rule.conditions : rest).map(fromSearch),
    actions: rule.actions.map(fromAction),
    steps: rule.steps.map(({ afterMinutes, actions }) => ({ afterMinutes, actions: actions.map(fromAction) })),
    frequency: rule.frequencyMinutes,
    environment,
    owner: null,
    projects: projects.filter(({ id }) => rule.projectIds?.includes(id) ?? true).map(({ slug }) => slug),
    status: rule.isEnabled ? "active" : "disabled",
    dateCreated: new Date(rule.createdAt).toISOString(),
    dateModified: new Date(rule.changedAt).toISOString(),
  };
}

function toTrigger(condition: Part, field: string): TypedRuleDraft["triggers"][number] {
  const change = Object.entries(CHANGES).find(([, id]) => id === condition.id);
  if (change) return { kind: change[0] };
  const counted = Object.entries(COUNTS).find(([, id]) => id === condition.id);
  if (!counted)
    throw refusal(
      400,
      `${field}.id: Is not known. Known are ${[...Object.values(CHANGES), ...Object.values(COUNTS)].join(", ")}.`,
    );
  const { comparisonType = "count", interval, value } = condition;
  if (comparisonType !== "count") throw refusal(400, `${field}.comparisonType: Must be "count".`);
  const found = /^(\d{1,5})([mhd])$/.exec(String(interval));
  if (!found) throw refusal(400, `${field}.interval: Must be minutes, hours or a day, like "10m", "1h", "1d".`);
  const unit = UNITS[found[2] as keyof typeof UNITS];
  // Sentry's condition says "more than", Culprit's trigger says "reaches".
  return { kind: counted[0], count: Number(value) + 1, minutes: Number(found[1]) * unit };
}

function fromTrigger(trigger: AlertTrigger): Part {
  if (!isCountTrigger(trigger)) return { id: CHANGES[trigger.kind as keyof typeof CHANGES] };
  const { kind, count, minutes } = trigger;
  const interval =
    minutes % 1_440 === 0 ? `${minutes / 1_440}d` : minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
  return { id: COUNTS[kind], value: count - 1, comparisonType: "count", interval };
}

const LEVEL_NUMBERS = { debug: 10, info: 20, warning: 30, error: 40, fatal: 50 } as const;

function toLevelSearch(match: unknown, level: number): string | null {
  const fits = LEVELS.filter((name) => {
    const number = LEVEL_NUMBERS[name];
    return match === "gte" ? number >= level : match === "lte" ? number <= level : match === "eq" && number === level;
  });
  if (fits.length === 0 || !Object.values(LEVEL_NUMBERS).some((number) => number === level)) return null;
  return printCondition(fits.length === 1 ? `level:${fits[0]}` : `level:[${fits.join(", ")}]`);
}

function toSearch(filter: Part, field: string): string {
  switch (filter.id) {
    case LEVEL_FILTER: {
      const search = toLevelSearch(filter.match, Number(filter.level));
      if (search === null) throw refusal(400, `${field}: Needs match (eq, gte, lte) and level (10, 20, 30, 40, 50).`);
      return search;
    }
    case TAG_FILTER: {
      const key = String(filter.key ?? "");
      if (!/^[\w.:-]{1,200}$/.test(key)) throw refusal(400, `${field}.key: Must be the key of a tag.`);
      const value = quote(String(filter.value ?? ""));
      if (filter.match === "eq") return printCondition(`tags[${key}]:${value}`);
      if (filter.match === "ne") return printCondition(`!tags[${key}]:${value}`);
      if (filter.match === "is") return printCondition(`has:${key}`);
      throw refusal(400, `${field}.match: Must be eq, ne or is. Use ${SEARCH_FILTER} with a query for others.`);
    }
    case COUNT_FILTER:
      if (!Number.isInteger(Number(filter.value))) throw refusal(400, `${field}.value: Must be a whole number.`);
      return printCondition(`timesSeen:>=${Number(filter.value)}`);
    case SEARCH_FILTER:
      return String(filter.query ?? "");
    default:
      throw refusal(
        400,
        `${field}.id: Is not known. Known are ${[LEVEL_FILTER, TAG_FILTER, COUNT_FILTER, SEARCH_FILTER].join(", ")}.`,
      );
  }
}

/** The filter that stands for this search. If there is none, a filter that holds the search itself. */
export function fromSearch(search: string): Part {
  for (const match of ["eq", "gte", "lte"])
    for (const level of Object.values(LEVEL_NUMBERS))
      if (toLevelSearch(match, level) === search) return { id: LEVEL_FILTER, match, level: String(level) };
  const counted = /^timesSeen:>=(\d+)$/.exec(search);
  if (counted) return { id: COUNT_FILTER, value: Number(counted[1]) };
  const tag = /^(!?)tags\[([\w.:-]+)\]:"((?:[^"\\]|\\.)*)"$/.exec(search);
  if (tag)
    return { id: TAG_FILTER, key: tag[2], match: tag[1] ? "ne" : "eq", value: tag[3]?.replace(/\\(.)/g, "$1") ?? "" };
  return { id: SEARCH_FILTER, query: search };
}

/** The environment, if the search asks for one and for nothing else. Null: it asks for something else. */
export function readEnvironment(search: string): string | null {
  const found = /^environment:"((?:[^"\\]|\\.)*)"$/.exec(search);
  return found?.[1] === undefined ? null : found[1].replace(/\\(.)/g, "$1");
}

function toAction(action: Part, field: string): { kind: string; id?: number; place?: string } {
  const own = Object.entries(OWN_ACTIONS).find(([, id]) => id === action.id);
  if (own) return { kind: own[0] };
  if (action.id === CHANNEL_ACTION)
    return {
      kind: "channel",
      id: Number(action.channel),
      ...(action.place !== undefined && { place: String(action.place) }),
    };
  if (action.id === ON_CALL_ACTION) return { kind: "on-call", id: Number(action.team) };
  if (action.id !== MAIL)
    throw refusal(
      400,
      `${field}.id: Is not known. Add what it tells under Settings → Channels, and name it with ${CHANNEL_ACTION}. Known are ${[MAIL, ...Object.values(OWN_ACTIONS), ON_CALL_ACTION, CHANNEL_ACTION].join(", ")}.`,
    );
  switch (action.targetType) {
    case "IssueOwners":
      if ((action.fallthroughType ?? "NoOne") !== "NoOne")
        throw refusal(
          400,
          `${field}.fallthroughType: Must be "NoOne". Add ${OWN_ACTIONS.members} to tell the members.`,
        );
      return { kind: "owners" };
    case "Team":
      return { kind: "team", id: Number(action.targetIdentifier) };
    case "Member":
      return { kind: "person", id: Number(action.targetIdentifier) };
    default:
      throw refusal(400, `${field}.targetType: Must be IssueOwners, Team or Member.`);
  }
}

function fromAction(action: AlertAction): Part {
  switch (action.kind) {
    case "owners":
      return { id: MAIL, targetType: "IssueOwners", fallthroughType: "NoOne" };
    case "team":
      return { id: MAIL, targetType: "Team", targetIdentifier: String(action.id) };
    case "on-call":
      return { id: ON_CALL_ACTION, team: action.id };
    case "person":
      return { id: MAIL, targetType: "Member", targetIdentifier: String(action.id) };
    case "channel":
      return { id: CHANNEL_ACTION, channel: action.id, ...(action.place && { place: action.place }) };
    default:
      return { id: OWN_ACTIONS[action.kind] };
  }
}
