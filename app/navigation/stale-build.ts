/** Reloading again within this time would not help: the server itself lacks the code. */
const RELOAD_AGAIN_AFTER_MS = 60_000;
const STORAGE_KEY = "culprit.reloaded-for-new-build";

let isStale = false;
let optionalImports = 0;

/** Whether code of this page's build is gone from the server: a newer build has taken its place. */
export function isBuildStale(): boolean {
  return isStale;
}

/** Code that the page works without: when it is gone, the page is not reloaded for it. */
export async function importOptional<Module>(load: () => Promise<Module>): Promise<Module | null> {
  optionalImports += 1;
  try {
    return await load();
  } catch {
    return null;
  } finally {
    optionalImports -= 1;
  }
}

/**
 * Notices a new build by its effect: code that this page names cannot be loaded. When the page itself needs it now, it is
 * reloaded, once; when it was only prefetched, the next navigation loads its page whole (`watchNavigation`).
 */
export function noticeNewBuild(reload: () => void = () => window.location.reload()): void {
  window.addEventListener("vite:preloadError", (event) => {
    isStale = true;
    if (optionalImports > 0 || !mayReload(Date.now())) return;
    event.preventDefault();
    reload();
  });
  // Errors of `<link>` do not bubble: only capturing sees them.
  window.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === "modulepreload") isStale = true;
    },
    true,
  );
}

function mayReload(now: number): boolean {
  try {
    const reloadedAt = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
    if (now - reloadedAt < RELOAD_AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(STORAGE_KEY, String(now));
    return true;
  } catch {
    // Without storage nobody could tell the first reload from the hundredth.
    return false;
  }
}
