import { beforeEach, describe, expect, test, vi } from "vitest";

/** Loads the module anew, because its memory lasts as long as the page. */
async function noticeOnNewPage() {
  vi.resetModules();
  const stale = await import("./stale-build.ts");
  const reload = vi.fn();
  stale.noticeNewBuild(reload);
  return { ...stale, reload };
}

function failPreload(): Event {
  const event = new Event("vite:preloadError", { cancelable: true });
  window.dispatchEvent(event);
  return event;
}

beforeEach(() => sessionStorage.clear());

describe("code that is gone", () => {
  test("reloads the page that needs it, once", async () => {
    const first = await noticeOnNewPage();
    expect(first.isBuildStale()).toBe(false);
    expect(failPreload().defaultPrevented).toBe(true);
    expect(first.isBuildStale()).toBe(true);
    expect(first.reload).toHaveBeenCalledTimes(1);

    const second = await noticeOnNewPage();
    expect(failPreload().defaultPrevented).toBe(false);
    expect(second.reload).not.toHaveBeenCalled();
  });

  test("does not reload a page that works without it", async () => {
    const { importOptional, reload, isBuildStale } = await noticeOnNewPage();
    const loading = importOptional(async () => {
      failPreload();
      throw new Error("Failed to fetch dynamically imported module");
    });
    expect(await loading).toBeNull();
    expect(isBuildStale()).toBe(true);
    expect(reload).not.toHaveBeenCalled();
  });

  test("is noticed when it was only prefetched", async () => {
    const { isBuildStale, reload } = await noticeOnNewPage();
    const link = document.head.appendChild(document.createElement("link"));
    link.rel = "modulepreload";
    link.dispatchEvent(new Event("error"));
    expect(isBuildStale()).toBe(true);
    expect(reload).not.toHaveBeenCalled();
  });

  test("is something else than a picture that is gone", async () => {
    const { isBuildStale } = await noticeOnNewPage();
    document.body.appendChild(document.createElement("img")).dispatchEvent(new Event("error"));
    expect(isBuildStale()).toBe(false);
  });
});
