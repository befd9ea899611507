import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { afterEach, test, vi } from "vitest";
import { TimelinePanel } from "./timeline-panel.tsx";

afterEach(() => void vi.unstubAllGlobals());

test("the page stays, and the panel says so, when the code of the timeline does not come", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ head: {}, timeline: {} }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(note: (entries: Array<{ isIntersecting: boolean }>) => void) {
        note([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  const event = { eventId: "a".repeat(32), title: "Error: no", level: "error" as const };
  const load = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  const Stub = createRoutesStub([{ path: "/", Component: () => <TimelinePanel event={event} load={load} /> }]);
  render(<Stub />);
  await screen.findByText("It could not be read. Open it to try again.");
});
