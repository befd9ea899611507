const THEMES = ["light", "dark", "system"] as const;

/** `system` follows the device. */
export type Theme = (typeof THEMES)[number];

export function toTheme(value: unknown): Theme {
  return THEMES.find((theme) => theme === value) ?? "system";
}
