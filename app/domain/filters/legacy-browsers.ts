/**
 * Browsers whose makers had newer ones by 2020. Below `before`, a version counts as old; null: every version does. The names are those
 * that SDKs and user agents give, in lower case and without *mobile*.
 */
const BROWSERS = {
  ie: { label: "Internet Explorer", names: ["ie", "iemobile", "internet explorer"], before: null },
  edge: { label: "Edge before 79, with its old engine", names: ["edge"], before: 79 },
  chrome: { label: "Chrome before 80", names: ["chrome", "chrome webview", "chromium"], before: 80 },
  firefox: { label: "Firefox before 72", names: ["firefox"], before: 72 },
  safari: { label: "Safari before 13", names: ["safari"], before: 13 },
  opera: { label: "Opera before 66", names: ["opera"], before: 66 },
  opera_mini: { label: "Opera Mini", names: ["opera mini"], before: null },
  android: { label: "The browser of old Android phones", names: ["android browser", "android"], before: null },
} as const;

export type LegacyBrowser = keyof typeof BROWSERS;

export const LEGACY_BROWSERS = Object.keys(BROWSERS) as LegacyBrowser[];

export function sayLegacyBrowser(id: LegacyBrowser): string {
  return BROWSERS[id].label;
}

/** The known ids among these, without repeats. */
export function toLegacyBrowsers(ids: readonly string[]): LegacyBrowser[] {
  return LEGACY_BROWSERS.filter((id) => ids.includes(id));
}

/** Whether a browser is among the old ones that are named. One without a version is not, unless every version is. */
export function isLegacyBrowser(
  { name, version }: { name: string; version: string | null },
  among: readonly LegacyBrowser[],
): boolean {
  const plain = name
    .toLowerCase()
    .replace(/\bmobile\b/, "")
    .replace(/\bios\b/, "")
    .trim()
    .replace(/\s+/, " ");
  const major = version === null ? Number.NaN : Number.parseInt(version, 10);
  return among.some((id) => {
    const { names, before } = BROWSERS[id];
    return (names as readonly string[]).includes(plain) && (before === null || major < before);
  });
}
