import type { AlertAction } from "../../domain/alerts/alert-rule.ts";
import type { RuleNames } from "../../domain/alerts/say-rule.ts";
import type { RuleNameTable } from "./load-rule-names.server.ts";

export function toRuleNames({ projects, teams, people, channels }: RuleNameTable): RuleNames {
  return {
    project: (id) => projects.find((each) => each.id === id)?.slug ?? null,
    receiver(action: Extract<AlertAction, { id: number }>) {
      if (action.kind === "team" || action.kind === "on-call") {
        const team = teams.find(({ id }) => id === action.id);
        if (team === undefined) return null;
        return action.kind === "team" ? `#${team.slug}` : `the member on call in #${team.slug}`;
      }
      const place = action.kind === "channel" && action.place ? ` (${action.place})` : "";
      const list: ReadonlyArray<{ id: number; name: string }> = action.kind === "person" ? people : channels;
      const name = list.find(({ id }) => id === action.id)?.name;
      return name === undefined ? null : `${name}${place}`;
    },
  };
}
