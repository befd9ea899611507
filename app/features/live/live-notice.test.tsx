import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveEvent } from "./live-event.ts";
import { LiveNotice } from "./live-notice.tsx";

let source: { readyState: number; onmessage?: (event: { data: string }) => void; onerror?: () => void };

beforeEach(() => {
  vi.useFakeTimers();
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
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const tell = (event: LiveEvent) => act(() => source.onmessage?.({ data: JSON.stringify(event) }));
const lose = () => act(() => source.onerror?.());

test("it says that too many pages are open only while the server says so", () => {
  const { container } = render(<LiveNotice />);
  const ends = (): void => {
    tell({ kind: "full" });
    lose();
  };
  ends();
  act(() => vi.advanceTimersByTime(5_000));
  expect(container.textContent).toContain("Too many live pages are open.");
  ends();
  expect(container.textContent).toContain("Too many live pages are open.");
  lose();
  expect(container.textContent).toContain("No connection to the server.");
  tell({ kind: "hello", publishedAt: null });
  expect(container.textContent).toBe("");
});
