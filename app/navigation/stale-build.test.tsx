import { beforeEach, describe, expect, test, vi } from "vitest";

/** Loads the module anew, because its memory lasts as long as the page. */
async function noticeOnNewPage({ isServerThere = true } = {}) {
  vi.resetModules();
  const stale = await import("./stale-build.ts");
  const reload = vi.fn();
  const isThere = vi.fn(async () => isServerThere);
  stale.noticeNewBuild(reload, isThere);
  /** Resolves once the page has learnt whether the server is there. */
  const asked = async () => {
    await expect.poll(() => isThere.mock.results.length).toBe(1);
    await isThere.mock.results[0]?.value;
  };
  return { ...stale, reload, asked };
}

function failPreload(): void {
  window.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
}

beforeEach(() => sessionStorage.clear());

describe("code that is gone", () => {
  test("reloads the page that needs it, once", async () => {
    const first = await noticeOnNewPage();
    expect(first.isBuildStale()).toBe(false);
    failPreload();
    await first.asked();
    expect(first.isBuildStale()).toBe(true);
    expect(first.reload).toHaveBeenCalledTimes(1);

    const second = await noticeOnNewPage();
    failPreload();
    await second.asked();
    expect(second.isBuildStale()).toBe(true);
    expect(second.reload).not.toHaveBeenCalled();
  });

  test("is not gone while the server is away: what is on the page stays", async () => {
    const { isBuildStale, reload, asked } = await noticeOnNewPage({ isServerThere: false });
    failPreload();
    await asked();
    expect(isBuildStale()).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  test("does not reload a page that works without it", async () => {
    const { importOptional, reload, isBuildStale, asked } = await noticeOnNewPage();
    const loading = importOptional(async () => {
      failPreload();
      throw new Error("Failed to fetch dynamically imported module");
    });
    expect(await loading).toBeNull();
    await asked();
    expect(isBuildStale()).toBe(true);
    expect(reload).not.toHaveBeenCalled();
  });

  test("is noticed when it was only prefetched", async () => {
    const { isBuildStale, reload, asked } = await noticeOnNewPage();
    const link = document.head.appendChild(document.createElement("link"));
    link.rel = "modulepreload";
    link.dispatchEvent(new Event("error"));
    await asked();
    expect(isBuildStale()).toBe(true);
    expect(reload).not.toHaveBeenCalled();
  });

  test("is something else than a picture that is gone", async () => {
    const { isBuildStale } = await noticeOnNewPage();
    document.body.appendChild(document.createElement("img")).dispatchEvent(new Event("error"));
    expect(isBuildStale()).toBe(false);
  });
});
