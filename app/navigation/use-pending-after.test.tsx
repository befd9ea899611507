import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PENDING_BAR_AFTER_MS } from "./navigation-limits.ts";
import { usePendingAfter } from "./use-pending-after.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function Page() {
  return <p>{usePendingAfter() ? "pending" : "still"}</p>;
}

test("says pending only when a navigation takes longer than the limit", async () => {
  let finish = () => {};
  const loader = () =>
    new Promise<null>((resolve) => {
      finish = () => resolve(null);
    });
  const router = createMemoryRouter([
    { path: "/", element: <Page />, children: [{ path: "a", loader, element: null }] },
  ]);
  render(<RouterProvider router={router} />);
  await act(async () => void router.navigate("/a"));
  await act(() => vi.advanceTimersByTimeAsync(PENDING_BAR_AFTER_MS - 1));
  expect(screen.getByText("still")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByText("pending")).toBeTruthy();
  await act(async () => finish());
  expect(screen.getByText("still")).toBeTruthy();
});
