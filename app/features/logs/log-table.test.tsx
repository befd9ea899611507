import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { parseLogFilters } from "./log-filters.ts";
import type { ListedLine } from "./log-list.ts";
import { LogTable } from "./log-table.tsx";

function renderTable(services: Array<string | null>, search = "") {
  const filters = parseLogFilters(new URLSearchParams(search));
  const lines = services.map(
    (service, index): ListedLine => ({
      id: String(index).padStart(32, "0"),
      key: String(index),
      isNew: false,
      occurredUs: 1_000_000 - index,
      severity: "info",
      body: "hello",
      values: [service],
    }),
  );
  const Stub = createRoutesStub([{ path: "/", Component: () => <LogTable filters={filters} lines={lines} /> }]);
  render(<Stub />);
  return screen.queryByRole("columnheader", { name: "service" });
}

test("the column of the service stands where lines come from several", () => {
  expect(renderTable(["web-shop", "payments"])).toBeTruthy();
});

test("it is left out where all lines come from one", () => {
  expect(renderTable(["web-shop", "web-shop"])).toBeNull();
  expect(renderTable(["web-shop", "web-shop"], "col=service")).toBeTruthy();
});
