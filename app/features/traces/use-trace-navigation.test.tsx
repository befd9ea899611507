import { act, render } from "@testing-library/react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { readTraceOptions, type TraceOptions } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";

const TRACE = "ab".repeat(16);
const [FIRST, SECOND] = ["11".repeat(8), "22".repeat(8)];

test("a second span that is opened before the first one is drawn makes no other history entry", async () => {
  window.history.replaceState(null, "", `/traces/${TRACE}`);
  const options = readTraceOptions(new URLSearchParams());
  let go: (change: Partial<TraceOptions>) => void = () => undefined;
  const Component = () => {
    go = useTraceNavigation(TRACE, options);
    return null;
  };
  render(<RouterProvider router={createBrowserRouter([{ path: "*", Component }])} />);
  const before = window.history.length;
  await act(async () => go({ spanKey: FIRST }));
  expect([window.history.length, window.location.search]).toEqual([before + 1, `?span=${FIRST}`]);
  await act(async () => go({ spanKey: SECOND }));
  expect([window.history.length, window.location.search]).toEqual([before + 1, `?span=${SECOND}`]);
  expect(window.history.state.usr).toEqual({ openedFrom: `/traces/${TRACE}` });
});
