import { render, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { parseLogFilters } from "./log-filters.ts";
import { type LinesPage, toLogList } from "./log-list.ts";
import { OlderLines } from "./older-lines.tsx";

afterEach(() => vi.unstubAllGlobals());

test("the end of the list that was out of sight and came into sight is loaded, though both are told at once", async () => {
  const told: IntersectionObserverCallback[] = [];
  class Observer {
    constructor(tell: IntersectionObserverCallback) {
      told.push(tell);
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  const page: LinesPage = { lines: [], next: null, readUpTo: null };
  vi.stubGlobal("fetch", async () => Response.json(page));
  const onLines = vi.fn();
  const list = { ...toLogList(page), next: { id: "0".repeat(32) } };
  const element = <OlderLines filters={parseLogFilters(new URLSearchParams())} list={list} onLines={onLines} />;
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element }])} />);
  const [tell] = told;
  const entries = [{ isIntersecting: false }, { isIntersecting: true }] as IntersectionObserverEntry[];
  tell?.(entries, {} as IntersectionObserver);
  await waitFor(() => expect(onLines).toHaveBeenCalledWith(page));
});
