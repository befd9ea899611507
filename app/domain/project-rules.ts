import { type FilterSettings, NO_FILTERS, toFilterSettings } from "./filters/filter-settings.ts";

/** What a project's people decide about what comes in. Each part is stored by itself. */
export interface ProjectRules {
  filters: FilterSettings;
}

export type RuleKind = keyof ProjectRules;

/** Parts that were never changed are absent. */
export type StoredRules = { [Kind in RuleKind]?: Partial<ProjectRules[Kind]> };

export const NO_RULES: ProjectRules = { filters: NO_FILTERS };

export function toProjectRules(stored: StoredRules): ProjectRules {
  return { filters: toFilterSettings(stored.filters ?? {}) };
}
