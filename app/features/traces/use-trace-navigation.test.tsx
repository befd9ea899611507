import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { BrowserRouter } from "react-router";
import { expect, test } from "vitest";
import { readTraceOptions } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";

const TRACE = "ab".repeat(16);
const [FIRST, SECOND] = ["11".repeat(8), "22".repeat(8)];

test("a second span that is opened before the first one is drawn makes no other history entry", () => {
  window.history.replaceState(null, "", `/traces/${TRACE}`);
  const options = readTraceOptions(new URLSearchParams());
  const wrapper = ({ children }: { children: ReactNode }) => <BrowserRouter>{children}</BrowserRouter>;
  const { result } = renderHook(() => useTraceNavigation(TRACE, options), { wrapper });
  const go = result.current;
  const before = window.history.length;
  act(() => go({ spanKey: FIRST }));
  expect([window.history.length, window.location.search]).toEqual([before + 1, `?span=${FIRST}`]);
  act(() => go({ spanKey: SECOND }));
  expect([window.history.length, window.location.search]).toEqual([before + 1, `?span=${SECOND}`]);
  expect(window.history.state.usr).toEqual({ openedFrom: `/traces/${TRACE}` });
});
