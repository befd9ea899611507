import { type AlertRuleDraft, COUNT_TRIGGERS, isCountTrigger, MAX_STEPS, toActionWord } from "./alert-rule.ts";
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
    actions: form.getAll("action").map(toTypedAction),
    // Each step has fields of its own. One without minutes and receivers is not filled in.
    steps: Array.from({ length: MAX_STEPS }, (_, index) => ({
      afterMinutes: numberOf(STEP_FIELDS.minutes(index)),
      actions: form.getAll(STEP_FIELDS.action(index)).map(toTypedAction),
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

function toTypedAction(word: FormDataEntryValue): { kind: string; id?: number } {
  const [kind = "", id] = String(word).split(":");
  return { kind, ...(id === undefined ? {} : { id: Number(id) }) };
}

/** The names of the fields of a step, by its number from 0. */
export const STEP_FIELDS = {
  minutes: (index: number) => `step${index}Minutes`,
  action: (index: number) => `step${index}Action`,
} as const;

/** The fields of the form that say the same. */
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
  for (const action of draft.actions) form.append("action", toActionWord(action));
  for (const [index, { afterMinutes, actions }] of draft.steps.entries()) {
    form.set(STEP_FIELDS.minutes(index), String(afterMinutes));
    for (const action of actions) form.append(STEP_FIELDS.action(index), toActionWord(action));
  }
  form.set("frequency", String(draft.frequencyMinutes));
  if (draft.isEnabled) form.set("isEnabled", "on");
  return form;
}
