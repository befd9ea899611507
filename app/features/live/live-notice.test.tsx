import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeEventSource, fakeEventSource } from "../../../tests/support/fake-event-source.ts";
import type { LiveEvent } from "./live-event.ts";
import { LiveNotice } from "./live-notice.tsx";

let source: FakeEventSource;

const ask = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.useFakeTimers();
  source = fakeEventSource();
  ask.mockRejectedValue(new TypeError("the server is away"));
  vi.stubGlobal("fetch", ask);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const tell = (event: LiveEvent) => act(() => source.tell(event));
const lose = () => act(async () => source.lose());

test("it says that too many pages are open only while the server says so", async () => {
  const { container } = render(<LiveNotice />);
  const ends = async () => {
    tell({ kind: "full" });
    await lose();
  };
  await ends();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(container.textContent).toContain("Too many live pages are open.");
  await ends();
  expect(container.textContent).toContain("Too many live pages are open.");
  await lose();
  expect(container.textContent).toContain("No connection to the server.");
  tell({ kind: "hello", publishedAt: null });
  expect(container.textContent).toBe("");
});

test.each([
  ["signed out", new Response(null, { status: 401 }), "You are signed out, or"],
  [
    "asked for a second factor",
    { status: 0, type: "opaqueredirect" } as Response,
    "the server asks for something first. Reload the page.",
  ],
  ["let in", Response.json([]), "No connection to the server."],
])("it tells somebody who is %s why nothing comes", async (_, answer, words) => {
  ask.mockResolvedValue(answer);
  const { container } = render(<LiveNotice />);
  await lose();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(container.textContent).toContain(words);
  tell({ kind: "hello", publishedAt: null });
  expect(container.textContent).toBe("");
});
