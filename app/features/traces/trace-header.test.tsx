import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { TracePage } from "./get-trace-page.server.ts";
import { TraceHeader } from "./trace-header.tsx";

const PAGE = {
  traceId: "3a6e6a6b527a4e86bb4834bf7191e0a8",
  root: { op: "pageload", name: "/" },
  startedUs: 1_000_000,
  durationUs: 2_000_000,
  spanCount: 24,
  rootCount: 1,
  orphanCount: 0,
  circleCount: 0,
  cutAt: null,
  services: [],
  errors: [],
  logCount: 0,
  areLogsCut: false,
  missing: [],
  seesEverything: true,
} as Partial<TracePage> as TracePage;

function renderHeader(change: Partial<TracePage>) {
  const Stub = createRoutesStub([{ path: "/", Component: () => <TraceHeader page={{ ...PAGE, ...change }} /> }]);
  render(<Stub />);
}

test("a page load and a click without parents are named, and the trace is complete", () => {
  renderHeader({ rootCount: 2 });
  expect(screen.getByText(/2 beginnings/)).toBeTruthy();
  expect(screen.queryByText("Not complete")).toBeNull();
});

test("a trace with a circle of parents says so, and is complete", () => {
  renderHeader({ circleCount: 1 });
  expect(screen.getByText(/make a circle: one span/)).toBeTruthy();
  expect(screen.queryByText("Not complete")).toBeNull();
});

test("a trace whose parents did not arrive is not complete", () => {
  renderHeader({ orphanCount: 3 });
  expect(screen.getByText("Not complete")).toBeTruthy();
  expect(screen.getByText(/The parents of 3 spans did not arrive/)).toBeTruthy();
});

test("somebody who does not have every project is told that spans of others are left out", () => {
  renderHeader({});
  expect(screen.queryByText(/left out/)).toBeNull();
  renderHeader({ seesEverything: false });
  expect(screen.getByText(/of projects that you do not see are left out/)).toBeTruthy();
  expect(screen.queryByText("Not complete")).toBeNull();
});
