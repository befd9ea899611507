import type { AlertRule, AlertRuleDraft } from "./alert-rule.ts";

/** The rule that a project has from the start: its members hear of new issues and of those that come back. */
export function draftFirstRule({ id, slug }: { id: number; slug: string }): AlertRuleDraft {
  return {
    name: `New and returning issues of ${slug}`,
    projectIds: [id],
    triggers: [{ kind: "new" }, { kind: "regressed" }, { kind: "unarchived" }, { kind: "escalating" }],
    match: "all",
    conditions: [],
    actions: [{ kind: "members" }, { kind: "recipients" }],
    steps: [],
    frequencyMinutes: 0,
    isEnabled: true,
  };
}

/** Whether a rule tells every new issue of projects that are still to come. Then a new project needs no rule of its own. */
export function tellsEveryProject(
  rules: ReadonlyArray<Pick<AlertRule, "projectIds" | "triggers" | "conditions" | "isEnabled">>,
): boolean {
  return rules.some(
    ({ projectIds, triggers, conditions, isEnabled }) =>
      isEnabled && projectIds === null && conditions.length === 0 && triggers.some(({ kind }) => kind === "new"),
  );
}
