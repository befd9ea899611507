import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import type { SourceMapPass } from "../../domain/source-map-pass.ts";
import { PassProgress } from "./pass-progress.tsx";

const NEVER: SourceMapPass = {
  isRunning: false,
  startedAt: null,
  endedAt: null,
  issueCount: 0,
  doneIssueCount: 0,
  doneEventCount: 0,
  mappedEventCount: 0,
  joinedIssueCount: 0,
  problem: null,
};

function show(pass: SourceMapPass): string {
  const router = createMemoryRouter([{ path: "/", element: <PassProgress pass={pass} /> }]);
  const { container } = render(<RouterProvider router={router} />);
  return container.textContent ?? "";
}

test("while it runs, the pass says how far it is, in words and as a bar", () => {
  const text = show({
    ...NEVER,
    isRunning: true,
    startedAt: 1,
    issueCount: 8,
    doneIssueCount: 3,
    doneEventCount: 1200,
    mappedEventCount: 1100,
    joinedIssueCount: 1,
  });
  expect(text).toContain("3 of 8 issues, 1,100 of 1,200 events have readable frames now, 1 issue joined others.");
  const bar = screen.getByRole("progressbar", { name: "Issues that were looked at" });
  expect([bar.getAttribute("value"), bar.getAttribute("max")]).toEqual(["3", "8"]);
});

test("what it did stays, what stopped it interrupts, and a pass that did nothing says nothing", () => {
  const ended = { ...NEVER, startedAt: 1, endedAt: Date.now(), doneEventCount: 2, mappedEventCount: 2 };
  expect(show(ended)).toContain("2 of 2 events have readable frames now");
  cleanup();
  show({ ...ended, problem: "the disk is full" });
  expect(screen.getByRole("alert").textContent).toContain("the disk is full");
  cleanup();
  expect(show(NEVER)).toBe("");
  cleanup();
  expect(show({ ...ended, mappedEventCount: 0 })).toBe("");
});

test("while it runs, it asks again after each answer, and an answer that takes long is waited for", async () => {
  vi.useFakeTimers();
  const readings: Array<{ signal: AbortSignal; finish: (data: null) => void }> = [];
  const router = createMemoryRouter(
    [
      {
        path: "/",
        element: <PassProgress pass={{ ...NEVER, isRunning: true, startedAt: 1 }} />,
        loader: ({ request }) =>
          new Promise<null>((finish) => {
            readings.push({ signal: request.signal, finish });
          }),
      },
    ],
    { hydrationData: { loaderData: { "0": null } } },
  );
  render(<RouterProvider router={router} />);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(readings.map(({ signal }) => signal.aborted)).toEqual([false]);
  await act(async () => readings[0]?.finish(null));
  await act(() => vi.advanceTimersByTimeAsync(1_900));
  expect(readings).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(readings).toHaveLength(2);
  vi.useRealTimers();
});
