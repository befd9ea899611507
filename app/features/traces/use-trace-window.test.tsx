import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, Link, RouterProvider, useLoaderData } from "react-router";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { TracePage } from "./get-trace-page.server.ts";
import { readTraceOptions, toTracePath } from "./trace-options.ts";
import { type TraceWindow, useTraceWindow } from "./use-trace-window.ts";

const TRACE = "ab".repeat(16);

afterEach(() => void vi.useRealTimers());

/** A trace of a second on a server that answers when it is told to, and the address of the last question. */
async function openTrace() {
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  let isSlow = false;
  let view: TraceWindow | undefined;
  const wait = () => (isSlow ? new Promise<void>((resolve) => (answer = resolve)) : undefined);
  const loader = async ({ request }: { request: Request }) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${pathname}?${searchParams}`);
    await wait();
    const options = readTraceOptions(searchParams);
    return { traceId: TRACE, options, durationUs: 1_000_000, selection: { window: options.window } } as TracePage;
  };
  const Trace = () => {
    view = useTraceWindow(useLoaderData());
    return (
      <>
        <Link to={toTracePath(TRACE, { ...view.options, view: "flame" })}>Flame</Link>
        <Link to="/issues">Issues</Link>
      </>
    );
  };
  const router = createMemoryRouter(
    [
      { path: "/traces/:traceId", loader, Component: Trace, HydrateFallback: () => null },
      { path: "/issues", loader: wait, Component: () => <h1>Issues</h1> },
    ],
    { initialEntries: [toTracePath(TRACE)] },
  );
  onTestFinished(() => router.dispose());
  render(<RouterProvider router={router} />);
  const press = async (name: string) => act(async () => screen.getByRole("link", { name }).click());
  await screen.findByText("Flame");
  isSlow = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return {
    router,
    asked,
    press,
    zoom: () => act(() => view?.zoomTo({ fromUs: 10_000, toUs: 110_000 })),
    /** Longer than the address takes to follow. */
    rest: () => act(async () => void vi.advanceTimersByTime(1_000)),
    answer: () => act(async () => answer()),
  };
}

const search = ({ state }: { state: { location: { search: string } } }) => state.location.search;

test("a view that is chosen before the address has followed keeps the window", async () => {
  const { router, asked, zoom, press, rest, answer } = await openTrace();
  zoom();
  await press("Flame");
  expect(asked.slice(1)).toEqual([`/traces/${TRACE}?view=flame&from=10&to=110`]);
  await rest();
  await answer();
  expect(search(router)).toBe("?view=flame&from=10&to=110");
  expect(asked).toHaveLength(2);
});

test("a window that is chosen before another view has come keeps the view", async () => {
  const { router, asked, zoom, press, rest, answer } = await openTrace();
  await press("Flame");
  zoom();
  await rest();
  expect(asked).toHaveLength(3);
  await answer();
  expect(search(router)).toBe("?view=flame&from=10&to=110");
});

test("the address does not follow the window once another page was asked for", async () => {
  const { router, asked, zoom, press, rest, answer } = await openTrace();
  zoom();
  await press("Issues");
  await rest();
  await answer();
  expect(router.state.location.pathname).toBe("/issues");
  expect(asked).toHaveLength(1);
});
