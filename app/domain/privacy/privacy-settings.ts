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
}

export const DEFAULT_PRIVACY: PrivacySettings = {
  masksData: true,
  usesBuiltInRules: true,
  dropsAddresses: false,
  sensitiveKeys: [],
  safeKeys: [],
};

/** Bounds of each list. */
export const PRIVACY_LIMITS = { keys: 100, keyChars: 100 } as const;

/** From what is stored: fields that an older version did not know get their defaults. */
export function toPrivacySettings(stored: Partial<PrivacySettings>): PrivacySettings {
  return { ...DEFAULT_PRIVACY, ...stored };
}
