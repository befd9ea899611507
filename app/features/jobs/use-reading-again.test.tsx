import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useReadingAgain } from "./use-reading-again.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a navigation that takes longer than the pause is not begun again", async () => {
  let [listReadings, otherReadings] = [0, 0];
  function List() {
    useReadingAgain(true, 1_000);
    return "list";
  }
  const late = Promise.withResolvers<null>();
  const router = createMemoryRouter(
    [
      { path: "/", element: <List />, loader: () => ++listReadings },
      {
        path: "/other",
        element: "other",
        loader: () => {
          otherReadings += 1;
          return late.promise;
        },
      },
    ],
    { hydrationData: { loaderData: { "0": 0 } } },
  );
  render(<RouterProvider router={router} />);
  await act(() => vi.advanceTimersByTimeAsync(2_500));
  expect(listReadings).toBe(2);
  await act(async () => void router.navigate("/other"));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect({ listReadings, otherReadings }).toEqual({ listReadings: 2, otherReadings: 1 });
  await act(async () => late.resolve(null));
  expect(screen.getByText("other")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect({ listReadings, otherReadings }).toEqual({ listReadings: 2, otherReadings: 1 });
});

test("a page that nobody can see is not read", async () => {
  let readings = 0;
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  function Page() {
    useReadingAgain(true, 1_000);
    return "page";
  }
  const router = createMemoryRouter([{ path: "/", element: <Page />, loader: () => ++readings }], {
    hydrationData: { loaderData: { "0": 0 } },
  });
  render(<RouterProvider router={router} />);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(readings).toBe(0);
  visibility.mockReturnValue("visible");
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(readings).toBe(1);
  visibility.mockRestore();
});
