import {
  type AlertAction,
  type AlertRuleDraft,
  COUNT_TRIGGERS,
  isCountTrigger,
  MAX_STEPS,
  toActionWord,
} from "./alert-rule.ts";
import type { TypedRuleDraft } from "./read-rule-draft.ts";

/** A draft as the form of a rule has it. Conditions are lines of one text. */
export function readRuleForm(form: FormData): TypedRuleDraft {
  const textOf = (name: string) => String(form.get(name) ?? "");
  const numberOf = (name: string) => (textOf(name).trim() === "" ? Number.NaN : Number(textOf(name)));
  const isCount = (kind: string) => COUNT_TRIGGERS.some((word) => word === kind);
  return {
    name: textOf("name"),
    teamId: form.has("allProjects") ? null : readTeam(textOf("projectsOf")),
    projectIds: form.has("allProjects") ? null : form.getAll("project").map(Number),
    triggers: form.getAll("trigger").map((word) => {
      const kind = String(word);
      return isCount(kind) ? { kind, count: numberOf(`${kind}Count`), minutes: numberOf(`${kind}Minutes`) } : { kind };
    }),
    match: textOf("match") || "all",
    conditions: textOf("conditions").split("\n"),
    actions: readActions(form, "action"),
    // Each step has its own fields. A step without minutes and receivers was not filled in.
    steps: Array.from({ length: MAX_STEPS }, (_, index) => ({
      afterMinutes: numberOf(STEP_FIELDS.minutes(index)),
      actions: readActions(form, STEP_FIELDS.action(index)),
    })).filter(({ afterMinutes, actions }) => !Number.isNaN(afterMinutes) || actions.length > 0),
    frequencyMinutes: numberOf("frequency"),
    isEnabled: form.has("isEnabled"),
  };
}

/** `team:3`; anything else: the chosen projects. */
function readTeam(word: string): number | null {
  const id = /^team:(\d{1,15})$/.exec(word)?.[1];
  return id === undefined ? null : Number(id);
}

function readActions(form: FormData, field: string): TypedRuleDraft["actions"] {
  return form.getAll(field).map((word) => {
    const [kind = "", id] = String(word).split(":");
    if (id === undefined) return { kind };
    const place = kind === "channel" ? form.get(toPlaceField(field, id)) : null;
    return { kind, id: Number(id), ...(typeof place === "string" && place.trim() !== "" && { place }) };
  });
}

/** The field for another place of a channel, beside the box `field` of the channel. */
export function toPlaceField(field: string, channelId: number | string): string {
  return `${field}Place${channelId}`;
}

function addActions(form: FormData, field: string, actions: readonly AlertAction[]): void {
  for (const action of actions) {
    form.append(field, toActionWord(action));
    if (action.kind === "channel" && action.place) form.set(toPlaceField(field, action.id), action.place);
  }
}

/** The names of the fields of a step, by its number from 0. */
export const STEP_FIELDS = {
  minutes: (index: number) => `step${index}Minutes`,
  action: (index: number) => `step${index}Action`,
} as const;

/** The form fields for a draft. */
export function toRuleForm(draft: AlertRuleDraft): FormData {
  const form = new FormData();
  form.set("name", draft.name);
  if (draft.teamId) form.set("projectsOf", `team:${draft.teamId}`);
  else if (draft.projectIds === null) form.set("allProjects", "on");
  else for (const id of draft.projectIds) form.append("project", String(id));
  for (const trigger of draft.triggers) {
    form.append("trigger", trigger.kind);
    if (!isCountTrigger(trigger)) continue;
    form.set(`${trigger.kind}Count`, String(trigger.count));
    form.set(`${trigger.kind}Minutes`, String(trigger.minutes));
  }
  form.set("match", draft.match);
  form.set("conditions", draft.conditions.join("\n"));
  addActions(form, "action", draft.actions);
  for (const [index, { afterMinutes, actions }] of draft.steps.entries()) {
    form.set(STEP_FIELDS.minutes(index), String(afterMinutes));
    addActions(form, STEP_FIELDS.action(index), actions);
  }
  form.set("frequency", String(draft.frequencyMinutes));
  if (draft.isEnabled) form.set("isEnabled", "on");
  return form;
}
