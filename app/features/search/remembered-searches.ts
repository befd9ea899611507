const KEY = "culprit.searches";
const MAX_SEARCHES = 8;

/** The searches in this browser, latest first. Empty if the browser stores nothing. */
export function listRememberedSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, MAX_SEARCHES) : [];
  } catch {
    // Another script's text under our key, or a browser that refuses storage.
    return [];
  }
}

export function rememberSearch(search: string): void {
  if (search === "") return;
  const others = listRememberedSearches().filter((other) => other !== search);
  try {
    window.localStorage.setItem(KEY, JSON.stringify([search, ...others].slice(0, MAX_SEARCHES)));
  } catch {
    // Storage is refused or full: the search itself works.
  }
}

/** Call it at sign-out: somebody else may use this browser next. */
export function forgetSearches(): void {
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // Storage is refused, so nothing was stored.
  }
}
