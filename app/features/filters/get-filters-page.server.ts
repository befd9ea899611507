import type { Workspace } from "../../access/workspace.ts";
import type { FilterSettings } from "../../domain/filters/filter-settings.ts";
import { EXAMPLE_LIFE_MS } from "../../domain/filters/filtered-example.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";

/** What one filter took. */
export interface FilterUse {
  /** The number of events of the last 24 hours, in whole hours. */
  lastDay: number;
  lastWeek: number;
  /** When the example came. Null: there is none of the last day. */
  exampleAt: number | null;
}

export interface FiltersPage {
  filters: FilterSettings;
  /** By the reason in the ledger. Filters that took nothing are absent. */
  uses: Record<string, FilterUse>;
}

export async function getFiltersPage(
  { state, scope }: Workspace,
  { id }: Pick<Project, "id">,
  now: number,
): Promise<FiltersPage | null> {
  const rules = await state.rules.getRules(scope, id);
  if (rules === null) return null;
  const own = narrowScope(scope, [id]);
  const sum = (days: number) =>
    state.outcomes.sumOutcomes(own, {
      from: now - days * DAY_MS,
      to: now,
      bucketMs: null,
      groupBy: ["reason"],
      outcomes: ["filtered"],
    });
  const [day, week, examples] = await Promise.all([
    sum(1),
    sum(7),
    state.rules.listExamples(scope, { projectId: id, since: now - EXAMPLE_LIFE_MS }),
  ]);
  const uses: Record<string, FilterUse> = {};
  const entryOf = (reason: string) => {
    uses[reason] ??= { lastDay: 0, lastWeek: 0, exampleAt: null };
    return uses[reason];
  };
  for (const { reason = "", quantity } of day) entryOf(reason).lastDay += quantity;
  for (const { reason = "", quantity } of week) entryOf(reason).lastWeek += quantity;
  for (const { reason, receivedAt } of examples) entryOf(reason).exampleAt = receivedAt;
  return { filters: rules.filters, uses };
}
