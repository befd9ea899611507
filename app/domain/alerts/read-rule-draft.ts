import { MAX_PLACE } from "../channels/channel-place.ts";
import {
  type AlertAction,
  type AlertRuleDraft,
  type AlertStep,
  type AlertTrigger,
  CHANGE_TRIGGERS,
  COUNT_TRIGGERS,
  MATCHES,
  MAX_ACTIONS,
  MAX_CONDITIONS,
  MAX_COUNT,
  MAX_FREQUENCY_MINUTES,
  MAX_RULE_NAME,
  MAX_STEP_MINUTES,
  MAX_STEPS,
  MAX_TRIGGERS,
  MAX_WINDOW_MINUTES,
} from "./alert-rule.ts";
import { findConditionProblem, printCondition } from "./rule-conditions.ts";

/** The parts of a rule that people fill in, and where a message about one belongs. */
export type RuleField = "name" | "projects" | "triggers" | "conditions" | "match" | "actions" | "steps" | "frequency";

export type ReadRuleDraft =
  | { ok: true; draft: AlertRuleDraft }
  /** `index`: of the trigger, condition, action or step. `message` is for people. */
  | { ok: false; field: RuleField; index?: number; message: string };

interface TypedAction {
  kind: string;
  id?: number;
  place?: string | undefined;
}

/** A draft as somebody typed it or a program sent it: words and numbers are not checked yet. */
export interface TypedRuleDraft {
  name: string;
  projectIds: readonly number[] | null;
  /** Absent: nothing is said of a team. */
  teamId?: number | null;
  triggers: ReadonlyArray<{ kind: string; count?: number; minutes?: number }>;
  match: string;
  conditions: readonly string[];
  actions: ReadonlyArray<TypedAction>;
  steps: ReadonlyArray<{ afterMinutes: number; actions: ReadonlyArray<TypedAction> }>;
  frequencyMinutes: number;
  isEnabled: boolean;
}

/** Checks a draft without stores. Whether its people and channels exist is checked elsewhere. */
export function readRuleDraft(typed: TypedRuleDraft, now: number): ReadRuleDraft {
  const name = typed.name.replace(/\s+/g, " ").trim();
  if (name === "") return { ok: false, field: "name", message: "Give the rule a name." };
  if (name.length > MAX_RULE_NAME)
    return { ok: false, field: "name", message: `A name has at most ${MAX_RULE_NAME} characters.` };
  const { projectIds, teamId, frequencyMinutes, isEnabled } = typed;
  if (projectIds?.length === 0 && !teamId)
    return { ok: false, field: "projects", message: "Choose at least one project." };
  const match = MATCHES.find((word) => word === typed.match);
  if (match === undefined) return { ok: false, field: "match", message: `Must be ${MATCHES.join(", ")}.` };

  if (typed.triggers.length === 0) return { ok: false, field: "triggers", message: "Choose at least one trigger." };
  if (typed.triggers.length > MAX_TRIGGERS)
    return { ok: false, field: "triggers", message: `At most ${MAX_TRIGGERS} triggers.` };
  const triggers: AlertTrigger[] = [];
  for (const [index, each] of typed.triggers.entries()) {
    const read = readTrigger(each);
    if (typeof read === "string") return { ok: false, field: "triggers", index, message: read };
    if (triggers.some(({ kind }) => kind === read.kind))
      return { ok: false, field: "triggers", index, message: `“${read.kind}” stands twice. Make another rule.` };
    triggers.push(read);
  }

  const conditions: string[] = [];
  for (const [index, search] of typed.conditions.entries()) {
    if (search.trim() === "") continue;
    const problem = findConditionProblem(search, now);
    if (problem !== null) return { ok: false, field: "conditions", index, message: problem };
    conditions.push(printCondition(search));
  }
  if (conditions.length > MAX_CONDITIONS)
    return { ok: false, field: "conditions", message: `At most ${MAX_CONDITIONS} conditions.` };

  const read = readActions(typed.actions);
  if (!read.ok) return { ...read, field: "actions" };
  const { actions } = read;

  if (typed.steps.length > MAX_STEPS) return { ok: false, field: "steps", message: `At most ${MAX_STEPS} steps.` };
  const steps: AlertStep[] = [];
  for (const [index, each] of typed.steps.entries()) {
    const step = readStep(each, steps.at(-1)?.afterMinutes ?? 0);
    if (typeof step === "string") return { ok: false, field: "steps", index, message: `Step ${index + 1}: ${step}` };
    steps.push(step);
  }

  if (!Number.isInteger(frequencyMinutes) || frequencyMinutes < 0 || frequencyMinutes > MAX_FREQUENCY_MINUTES)
    return {
      ok: false,
      field: "frequency",
      message: `A whole number of minutes, from 0 to ${MAX_FREQUENCY_MINUTES.toLocaleString("en")}.`,
    };
  const ids = projectIds && [...new Set(projectIds)].sort((one, other) => one - other);
  return {
    ok: true,
    draft: {
      name,
      projectIds: ids,
      ...(teamId !== undefined && { teamId }),
      triggers,
      match,
      conditions,
      actions,
      steps,
      frequencyMinutes,
      isEnabled,
    },
  };
}

function readTrigger({ kind, count = 0, minutes = 0 }: TypedRuleDraft["triggers"][number]): AlertTrigger | string {
  const change = CHANGE_TRIGGERS.find((word) => word === kind);
  if (change !== undefined) return { kind: change };
  const counted = COUNT_TRIGGERS.find((word) => word === kind);
  if (counted === undefined)
    return `“${kind.slice(0, 60)}” is not a trigger. Choose ${[...CHANGE_TRIGGERS, ...COUNT_TRIGGERS].join(", ")}.`;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    return `How many: a whole number from 1 to ${MAX_COUNT.toLocaleString("en")}.`;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_WINDOW_MINUTES)
    return `In how many minutes: a whole number from 1 to ${MAX_WINDOW_MINUTES.toLocaleString("en")}.`;
  return { kind: counted, count, minutes };
}

function readActions(
  typed: readonly TypedAction[],
): { ok: true; actions: AlertAction[] } | { ok: false; index?: number; message: string } {
  if (typed.length === 0) return { ok: false, message: "Choose who is told." };
  if (typed.length > MAX_ACTIONS) return { ok: false, message: `At most ${MAX_ACTIONS} receivers.` };
  const actions: AlertAction[] = [];
  for (const [index, each] of typed.entries()) {
    const action = readAction(each);
    if (action === null) return { ok: false, index, message: "Choose who is told." };
    if (typeof action === "string") return { ok: false, index, message: action };
    if (actions.some((other) => other.kind === "channel" && isPlaceOf(other, action)))
      return { ok: false, index, message: "This channel stands twice, with other places. Make another rule." };
    if (!actions.some((other) => JSON.stringify(other) === JSON.stringify(action))) actions.push(action);
  }
  return { ok: true, actions };
}

/** `previous`: the minutes of the step before. Returns a text if something is wrong. */
function readStep({ afterMinutes, actions }: TypedRuleDraft["steps"][number], previous: number): AlertStep | string {
  if (!Number.isInteger(afterMinutes) || afterMinutes < 1 || afterMinutes > MAX_STEP_MINUTES)
    return `A whole number of minutes, from 1 to ${MAX_STEP_MINUTES.toLocaleString("en")}.`;
  if (afterMinutes <= previous) return `It must come later than the step before it, which is at ${previous} minutes.`;
  const read = readActions(actions);
  return read.ok ? { afterMinutes, actions: read.actions } : read.message;
}

/** Whether both name the same channel, and not the same place of it. */
function isPlaceOf(one: AlertAction & { kind: "channel" }, other: AlertAction): boolean {
  return other.kind === "channel" && other.id === one.id && other.place !== one.place;
}

/** Returns null if no kind of action was chosen, and a text that says what is wrong. */
function readAction({ kind, id, place = "" }: TypedAction): AlertAction | string | null {
  switch (kind) {
    case "members":
    case "recipients":
    case "assignee":
    case "owners":
      return { kind };
    case "team":
    case "on-call":
    case "person":
      return id !== undefined && Number.isSafeInteger(id) && id > 0 ? { kind, id } : null;
    case "channel": {
      if (id === undefined || !Number.isSafeInteger(id) || id < 1) return null;
      const named = place.trim();
      // The queue separates the id and the place with a space.
      if (named.length > MAX_PLACE || /[\s\p{Cc}]/u.test(named))
        return `A place has at most ${MAX_PLACE} characters, and no spaces.`;
      return { kind, id, ...(named !== "" && { place: named }) };
    }
    default:
      return null;
  }
}
