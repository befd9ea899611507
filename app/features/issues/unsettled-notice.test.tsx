import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useLoaderData } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UnsettledEvents } from "../../domain/issues/unsettled-events.ts";
import { UnsettledNotice } from "./unsettled-notice.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Page() {
  const shortIds = useLoaderData<string[]>();
  return shortIds.length > 0 ? <UnsettledNotice issueId={1} unsettled={[{ kind: "coming", shortIds }]} /> : "all there";
}

test("a page that lacks events of a merge says so, and is read again once they are there", async () => {
  let unsettled = ["SHOP-2", "SHOP-3", "SHOP-4", "SHOP-5"];
  let isReachable = false;
  const fetched = vi.fn(async () => {
    if (!isReachable) throw new TypeError("Failed to fetch");
    return Response.json({ isSettled: unsettled.length === 0 });
  });
  vi.stubGlobal("fetch", fetched);
  let readCount = 0;
  const loader = () => {
    readCount++;
    return unsettled;
  };
  const routes = [{ path: "/", loader, element: <Page />, hydrateFallbackElement: <p /> }];
  render(<RouterProvider router={createMemoryRouter(routes)} />);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByRole("status").textContent).toContain(
    "Events of SHOP-2, SHOP-3, SHOP-4 and 1 more are being moved",
  );

  await act(() => vi.advanceTimersByTimeAsync(2_000));
  isReachable = true;
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect({ readCount, asked: fetched.mock.calls.length }).toEqual({ readCount: 1, asked: 4 });

  unsettled = [];
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByText("all there")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect({ readCount, asked: fetched.mock.calls.length }).toEqual({ readCount: 2, asked: 5 });
});

test("it says where events go, how many were looked at, and what is deleted; an issue that is gone is read again", async () => {
  vi.stubGlobal("fetch", async () => new Response("There is no such issue.", { status: 404 }));
  const unsettled: UnsettledEvents[] = [
    { kind: "leaving", shortIds: ["SHOP-2"], lookedAtCount: 1_200 },
    { kind: "deleted" },
  ];
  let readCount = 0;
  const loader = () => ++readCount;
  const element = <UnsettledNotice issueId={1} unsettled={unsettled} />;
  const hydrationData = { loaderData: { "0": 0 } };
  render(<RouterProvider router={createMemoryRouter([{ path: "/", loader, element }], { hydrationData })} />);
  expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Events of this issue are being moved to SHOP-2.* So far, 1,200 were looked at\./),
    expect.stringMatching(/^Deleted events of this issue are being removed/),
  ]);
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(readCount).toBe(1);
});

test("a reading that takes longer than the pause is waited for", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ isSettled: true }));
  const readings: AbortSignal[] = [];
  const late = Promise.withResolvers<string[]>();
  const loader = ({ request }: { request: Request }) => {
    readings.push(request.signal);
    return late.promise;
  };
  const routes = [{ path: "/", loader, element: <Page /> }];
  const hydrationData = { loaderData: { "0": ["SHOP-2"] } };
  render(<RouterProvider router={createMemoryRouter(routes, { hydrationData })} />);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(readings.map(({ aborted }) => aborted)).toEqual([false]);
  await act(async () => late.resolve([]));
  expect(screen.getByText("all there")).toBeTruthy();
});
