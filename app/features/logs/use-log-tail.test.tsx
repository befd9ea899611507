import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeEventSource, fakeEventSource } from "../../../tests/support/fake-event-source.ts";
import { parseLogFilters } from "./log-filters.ts";
import type { TailEvent } from "./tail-event.ts";
import { useLogTail } from "./use-log-tail.ts";

let source: FakeEventSource;

beforeEach(() => {
  source = fakeEventSource();
});
afterEach(() => vi.unstubAllGlobals());

test("it says that too many tails are open only while the server says so", () => {
  const filters = parseLogFilters(new URLSearchParams("live=1"));
  const { result } = renderHook(() => useLogTail(filters, "0a.1-1.1", () => undefined));
  const tell = (event: TailEvent) => act(() => source.tell(event));
  const lose = () => act(() => source.lose());
  tell({ kind: "full" });
  lose();
  expect(result.current.status).toBe("full");
  lose();
  expect(result.current.status).toBe("lost");
  tell({ kind: "news", lines: [], arrived: 0, matched: 0, leftOut: 0, notRead: 0 });
  expect(result.current.status).toBe("live");
});
