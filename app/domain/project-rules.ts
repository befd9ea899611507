import { type FilterSettings, NO_FILTERS, toFilterSettings } from "./filters/filter-settings.ts";
import { NO_OWNERSHIP, type OwnershipSettings } from "./ownership/ownership-settings.ts";
import { DEFAULT_PRIVACY, type PrivacySettings, toPrivacySettings } from "./privacy/privacy-settings.ts";
import { EVERYTHING_STORED, type VolumeSettings } from "./volume/volume-settings.ts";

/** The decisions of a project's people on what is accepted and who gets it. Each part is stored separately. */
export interface ProjectRules {
  filters: FilterSettings;
  privacy: PrivacySettings;
  ownership: OwnershipSettings;
  volume: VolumeSettings;
}

export type RuleKind = keyof ProjectRules;

/** Parts that were never changed are absent. */
export type StoredRules = { [Kind in RuleKind]?: Partial<ProjectRules[Kind]> };

export const NO_RULES: ProjectRules = {
  filters: NO_FILTERS,
  privacy: DEFAULT_PRIVACY,
  ownership: NO_OWNERSHIP,
  volume: EVERYTHING_STORED,
};

export function toProjectRules(stored: StoredRules): ProjectRules {
  return {
    filters: toFilterSettings(stored.filters ?? {}),
    privacy: toPrivacySettings(stored.privacy ?? {}),
    ownership: { ...NO_OWNERSHIP, ...stored.ownership },
    volume: { ...EVERYTHING_STORED, ...stored.volume },
  };
}
