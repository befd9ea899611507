import { act, render, screen } from "@testing-library/react";
import { createRoutesStub, useLoaderData } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { AwaitedEvents } from "./awaited-events.tsx";

afterEach(() => {
  vi.useRealTimers();
});

test("events that come after a merge was undone appear without a reload", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let count = 0;
  function Page() {
    return useLoaderData<number>() === 0 ? <AwaitedEvents /> : <p>7 events</p>;
  }
  const Stub = createRoutesStub([{ path: "/", loader: () => count, Component: Page }]);
  render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { "0": 0 } }} />);
  expect(await screen.findByText("No event is stored here yet")).toBeDefined();
  count = 7;
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(await screen.findByText("7 events")).toBeDefined();
});
