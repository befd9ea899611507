/** What a project masks before anything is stored. */
export interface PrivacySettings {
  /** Off: nothing is masked, apart from addresses. */
  masksData: boolean;
  /** Whether the built-in rules hold: keys like `password`, card numbers, tokens. */
  usesBuiltInRules: boolean;
  /** Addresses of people, like that of the sender, are not stored. */
  dropsAddresses: boolean;
  /** Names of keys. */
  sensitiveKeys: readonly string[];
  safeKeys: readonly string[];
  /** Rules that name places, one a line: see scrub-rules/. They hold whatever the switches say. */
  rules: string;
  /** Secret by which values are hashed; empty until a rule needs it. Never shown. */
  hashKey: string;
}

/** The settings that people choose. */
export type PrivacyChoices = Omit<PrivacySettings, "hashKey">;

export const DEFAULT_PRIVACY: PrivacySettings = {
  masksData: true,
  usesBuiltInRules: true,
  dropsAddresses: false,
  sensitiveKeys: [],
  safeKeys: [],
  rules: "",
  hashKey: "",
};

/** Bounds of each list. */
export const PRIVACY_LIMITS = { keys: 100, keyChars: 100 } as const;

/** Completes stored settings: fields that an older version did not know get their defaults. */
export function toPrivacySettings(stored: Partial<PrivacySettings>): PrivacySettings {
  return { ...DEFAULT_PRIVACY, ...stored };
}
