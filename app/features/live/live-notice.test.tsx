import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeEventSource, fakeEventSource } from "../../../tests/support/fake-event-source.ts";
import type { LiveEvent } from "./live-event.ts";
import { LiveNotice } from "./live-notice.tsx";

let source: FakeEventSource;

beforeEach(() => {
  vi.useFakeTimers();
  source = fakeEventSource();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const tell = (event: LiveEvent) => act(() => source.tell(event));
const lose = () => act(() => source.lose());

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
