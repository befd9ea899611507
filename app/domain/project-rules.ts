import { type FilterSettings, NO_FILTERS, toFilterSettings } from "./filters/filter-settings.ts";
import { DEFAULT_PRIVACY, type PrivacySettings, toPrivacySettings } from "./privacy/privacy-settings.ts";

/** What a project's people decide about what comes in. Each part is stored by itself. */
export interface ProjectRules {
  filters: FilterSettings;
  privacy: PrivacySettings;
}

export type RuleKind = keyof ProjectRules;

/** Parts that were never changed are absent. */
export type StoredRules = { [Kind in RuleKind]?: Partial<ProjectRules[Kind]> };

export const NO_RULES: ProjectRules = { filters: NO_FILTERS, privacy: DEFAULT_PRIVACY };

export function toProjectRules(stored: StoredRules): ProjectRules {
  return { filters: toFilterSettings(stored.filters ?? {}), privacy: toPrivacySettings(stored.privacy ?? {}) };
}
