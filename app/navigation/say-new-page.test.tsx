import { createMemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sayNewPage } from "./say-new-page.ts";
import { whenAtRest } from "./when-at-rest.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  document.title = "";
});

async function open(atRest = whenAtRest) {
  document.body.innerHTML = `<main id="main" tabindex="-1"><input aria-label="Search"></main>`;
  document.title = "Issues";
  const router = createMemoryRouter([{ path: "*", loader: () => null }], { initialEntries: ["/issues"] });
  router.initialize();
  await vi.waitFor(() => expect(router.state.initialized).toBe(true));
  const said: string[] = [];
  const stop = sayNewPage(router, atRest, (title) => said.push(title));
  return { router, said, stop };
}

/** Draws the page after the router's state has changed, as the router does. */
async function draw(title: string) {
  document.title = title;
  await Promise.resolve();
}

test("a new page is said by its title once it is drawn, and the next Tab goes on from its content", async () => {
  const { router, said, stop } = await open();
  await router.navigate("/issues/1");
  expect(said).toEqual([]);
  document.head.append(document.createElement("link"));
  await Promise.resolve();
  expect(said).toEqual([]);
  await draw("SHOP-1 Cart is empty");
  expect(said).toEqual(["SHOP-1 Cart is empty"]);
  expect(document.activeElement).toBe(document.body);
  vi.advanceTimersByTime(10_000);
  expect(document.activeElement?.id).toBe("main");
  await draw("SHOP-1 Cart is full");
  expect(said).toHaveLength(1);
  await router.navigate("/issues");
  expect(document.activeElement).toBe(document.body);
  await draw("Issues");
  expect(said).toEqual(["SHOP-1 Cart is empty", "Issues"]);
  stop();
  await router.navigate("/logs");
  await draw("Logs");
  expect(said).toHaveLength(2);
});

test("a page of the same title is said a second later, and a page that sets the focus keeps it", async () => {
  const { router, said } = await open();
  await router.navigate("/issues/1");
  vi.advanceTimersByTime(999);
  expect(said).toEqual([]);
  // Then it is at rest.
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual(["Issues"]);
  document.querySelector("input")?.focus();
  vi.advanceTimersByTime(10_000);
  expect(document.activeElement).toBe(document.querySelector("input"));
});

test("a page that is still being drawn after a second is said by its own title, not by that of the page before", async () => {
  const waiting = new Set<() => void>();
  const { router, said } = await open((act) => {
    waiting.add(act);
    return () => waiting.delete(act);
  });
  await router.navigate("/issues/1");
  vi.advanceTimersByTime(5_000);
  expect([said, waiting.size]).toEqual([[], 1]);
  await draw("SHOP-1 Cart is empty");
  for (const act of waiting) act();
  expect(said).toEqual(["SHOP-1 Cart is empty"]);
});

test("another search on the same page is not another page", async () => {
  const { router, said } = await open();
  await router.navigate("/issues?query=cart");
  await draw("cart · Issues");
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual([]);
  expect(document.activeElement).toBe(document.body);
});

test("a browser without `ariaNotify` is given a region that is there before its words", async () => {
  document.body.innerHTML = "";
  document.title = "Issues";
  const router = createMemoryRouter([{ path: "*", loader: () => null }], { initialEntries: ["/issues"] });
  sayNewPage(router, whenAtRest);
  const region = document.querySelector("[role=status]");
  expect(region?.textContent).toBe("");
  await router.navigate("/logs");
  await draw("Logs");
  expect(region?.textContent).toBe("Logs");
});
