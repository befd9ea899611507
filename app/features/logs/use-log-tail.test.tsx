import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseLogFilters } from "./log-filters.ts";
import type { TailEvent } from "./tail-event.ts";
import { useLogTail } from "./use-log-tail.ts";

let source: {
  readyState: number;
  onmessage?: (event: { data: string; lastEventId: string }) => void;
  onerror?: () => void;
};

beforeEach(() => {
  vi.stubGlobal(
    "EventSource",
    class {
      static readonly CLOSED = 2;
      readyState = 0;
      constructor() {
        source = this;
      }
      close() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

test("it says that too many tails are open only while the server says so", () => {
  const filters = parseLogFilters(new URLSearchParams("live=1"));
  const { result } = renderHook(() => useLogTail(filters, "0a.1-1.1", () => undefined));
  const tell = (event: TailEvent) => act(() => source.onmessage?.({ data: JSON.stringify(event), lastEventId: "" }));
  const lose = () => act(() => source.onerror?.());
  tell({ kind: "full" });
  lose();
  expect(result.current.status).toBe("full");
  lose();
  expect(result.current.status).toBe("lost");
  tell({ kind: "news", lines: [], arrived: 0, matched: 0, leftOut: 0, notRead: 0 });
  expect(result.current.status).toBe("live");
});
