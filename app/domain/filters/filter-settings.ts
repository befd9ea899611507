import { type LegacyBrowser, toLegacyBrowsers } from "./legacy-browsers.ts";

/** A filter that somebody wrote in the search language. */
export interface FilterCondition {
  /** Unique in its project, and never used again: the ledger names the filter by it. */
  id: number;
  /** The name on pages. */
  name: string;
  search: string;
  isEnabled: boolean;
}

/** The events that a project does not accept. Filters look at errors, messages and security reports. */
export interface FilterSettings {
  browserExtensions: boolean;
  webCrawlers: boolean;
  localhost: boolean;
  legacyBrowsers: readonly LegacyBrowser[];
  /** Patterns with `*`, like the next one. */
  releases: readonly string[];
  errorMessages: readonly string[];
  /** Addresses, and ranges like `192.0.2.0/24`. */
  ipAddresses: readonly string[];
  conditions: readonly FilterCondition[];
  nextConditionId: number;
}

export const NO_FILTERS: FilterSettings = {
  browserExtensions: false,
  webCrawlers: false,
  localhost: false,
  legacyBrowsers: [],
  releases: [],
  errorMessages: [],
  ipAddresses: [],
  conditions: [],
  nextConditionId: 1,
};

/** Bounds of a project's filters: each event is held against all of them. */
export const FILTER_LIMITS = {
  patterns: 100,
  patternChars: 250,
  addresses: 200,
  conditions: 50,
  searchChars: 500,
  /** Tests of one condition. */
  tests: 30,
  nameChars: 64,
} as const;

/** Completes stored settings: fields that an older version did not know get their defaults. */
export function toFilterSettings(stored: Partial<FilterSettings>): FilterSettings {
  return { ...NO_FILTERS, ...stored, legacyBrowsers: toLegacyBrowsers(stored.legacyBrowsers ?? []) };
}
