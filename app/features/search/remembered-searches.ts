const KEY = "culprit.searches";
const MAX_SEARCHES = 8;

/** Searches made in this browser, the latest first. None where the browser keeps nothing. */
export function listRememberedSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, MAX_SEARCHES) : [];
  } catch {
    // Somebody else's words under our key, or a browser that refuses to keep anything.
    return [];
  }
}

export function rememberSearch(search: string): void {
  if (search === "") return;
  const others = listRememberedSearches().filter((other) => other !== search);
  try {
    window.localStorage.setItem(KEY, JSON.stringify([search, ...others].slice(0, MAX_SEARCHES)));
  } catch {
    // Refused, or full: the search itself works.
  }
}

/** Somebody else may be next at this browser. */
export function forgetSearches(): void {
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // Refused: nothing was kept.
  }
}
