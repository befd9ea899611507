import { createMemoryRouter, type RouteObject } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CODE_LIMIT_MS, DATA_LIMIT_MS } from "./navigation-limits.ts";
import { type PageLoad, watchNavigation } from "./watch-navigation.ts";

const never = () => new Promise<never>(() => {});
const soon = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watch(
  routes: RouteObject[],
  { isStale = () => false, countFaults = () => 0 }: { isStale?: () => boolean; countFaults?: () => number } = {},
) {
  const loaded: Array<Parameters<PageLoad>> = [];
  const router = createMemoryRouter([{ path: "/", loader: () => null }, ...routes]);
  const stop = watchNavigation(router, { loadPage: (...load) => loaded.push(load), isStale, countFaults });
  return { router, loaded, stop };
}

describe("a navigation", () => {
  test("that is done in time is left alone, also later", async () => {
    const { router, loaded } = watch([{ path: "/a", loader: () => soon(3000) }]);
    void router.navigate("/a");
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS * 2);
    expect(router.state.location.pathname).toBe("/a");
    expect(loaded).toEqual([]);
  });

  test("whose code does not come becomes a page load after the limit for code", async () => {
    const { router, loaded } = watch([{ path: "/a", lazy: { Component: never } }]);
    void router.navigate("/a?q=1#part");
    await vi.advanceTimersByTimeAsync(CODE_LIMIT_MS - 1);
    expect(loaded).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loaded).toEqual([["/a?q=1#part", "PUSH"]]);
  });

  test("that the server has answered with a fault is not asked for again because its code is late", async () => {
    let faults = 0;
    const answerFault = async () => {
      faults++;
      throw new Error("Unexpected Server Error");
    };
    const route = { path: "/a", loader: answerFault, lazy: { Component: never } };
    const { router, loaded } = watch([route], { countFaults: () => faults });
    void router.navigate("/a");
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS - 1);
    expect(faults).toBe(1);
    expect(loaded).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loaded).toEqual([["/a", "PUSH"]]);
  });

  test("whose code is there waits for its data until the limit for data", async () => {
    const { router, loaded } = watch([{ path: "/a", loader: never, lazy: { Component: async () => () => null } }]);
    void router.navigate("/a", { replace: true });
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS - 1);
    expect(loaded).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loaded).toEqual([["/a", "REPLACE"]]);
  });

  test("gets the whole time, whatever an earlier one has used", async () => {
    const { router, loaded } = watch([
      { path: "/a", loader: never },
      { path: "/b", loader: never },
    ]);
    void router.navigate("/a");
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS - 1000);
    void router.navigate("/b");
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS - 1);
    expect(loaded).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loaded).toEqual([["/b", "PUSH"]]);
  });

  test("is a page load at once when this page's build is gone", async () => {
    const { router, loaded } = watch([{ path: "/a", loader: never }], { isStale: () => true });
    void router.navigate("/a");
    await vi.advanceTimersByTimeAsync(0);
    expect(loaded).toEqual([["/a", "PUSH"]]);
  });

  test("is not watched any more once the watch has ended", async () => {
    const { router, loaded, stop } = watch([{ path: "/a", loader: never }]);
    void router.navigate("/a");
    await vi.advanceTimersByTimeAsync(0);
    stop();
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS);
    expect(loaded).toEqual([]);
  });
});

describe("a form", () => {
  test("that is being sent is never sent again by a page load", async () => {
    const { router, loaded } = watch([{ path: "/a", action: never, loader: () => null }]);
    void router.navigate("/a", { formMethod: "post", formData: new FormData() });
    await vi.advanceTimersByTimeAsync(DATA_LIMIT_MS * 3);
    expect(router.state.navigation.state).toBe("submitting");
    expect(loaded).toEqual([]);
  });

  test("whose page does not come after it was answered becomes a page load", async () => {
    const { router, loaded } = watch([{ path: "/a", action: () => soon(60_000), loader: never }]);
    void router.navigate("/a", { formMethod: "post", formData: new FormData() });
    await vi.advanceTimersByTimeAsync(60_000 + DATA_LIMIT_MS);
    expect(loaded).toHaveLength(1);
  });
});
