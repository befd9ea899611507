import { isServerThere } from "./is-server-there.ts";

/** Within this time the page is not reloaded again: it would not help, because the server itself lacks the code. */
const RELOAD_AGAIN_AFTER_MS = 60_000;
const STORAGE_KEY = "culprit.reloaded-for-new-build";

let isStale = false;
let isReloading = false;
let optionalImports = 0;

/** Whether code of this page's build is gone from the server, because a newer build has replaced it. */
export function isBuildStale(): boolean {
  return isStale;
}

/** Loads code that the page can do without. If the code is gone, the page is not reloaded. */
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

/** Reloads the page. Other reloads by script are the router's (`noticeNewBuild`). */
export function reloadPage(): void {
  isReloading = true;
  window.location.reload();
}

/**
 * Notices a new build, because code that this page names cannot be loaded although the server answers. If the page needs the code now, it
 * is reloaded, once. If the code was only prefetched, the next navigation loads its page whole (`watchNavigation`).
 */
export function noticeNewBuild(reload: () => void = reloadPage, isThere: () => Promise<boolean> = isServerThere): void {
  const onMissing = async (isNeeded: boolean) => {
    if (!(await isThere())) return;
    isStale = true;
    if (isNeeded && mayReload(Date.now())) reload();
  };
  // The router reloads the page at once, also for the code of a page that somebody only points at. The development server reloads, too.
  if (import.meta.env.PROD)
    window.navigation?.addEventListener("navigate", (event) => {
      if (event.navigationType !== "reload" || event.userInitiated || isReloading) return;
      event.preventDefault();
      void onMissing(window.__reactRouterDataRouter?.state.navigation.state !== "idle");
    });
  window.addEventListener("vite:preloadError", () => void onMissing(optionalImports === 0));
  // Errors of `<link>` do not bubble, so the listener must capture them.
  window.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === "modulepreload") void onMissing(false);
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
    // Without storage, the first reload cannot be told from the hundredth.
    return false;
  }
}
