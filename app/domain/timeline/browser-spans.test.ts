import { expect, test } from "vitest";
import { makeTrace, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import { kindOf } from "../traces/trace-spans.ts";
import { nameBrowserServices } from "./browser-spans.ts";

function servicesOf(...spans: readonly SpanOfTest[]): string[] {
  const { tree } = nameBrowserServices(makeTrace(...spans));
  return [...tree.order].map((index) => kindOf(tree.spans, index).service);
}

test("a page and its server with one name are two services", () => {
  expect(
    servicesOf(
      [1, 0, 0, 100, { op: "pageload" }],
      [2, 1, 10, 50, { op: "http.client" }],
      [3, 2, 20, 30, { op: "http.server" }],
      [4, 3, 25, 5, { op: "db.query" }],
      [5, 1, 70, 5, { op: "function" }],
    ),
  ).toEqual(["web · browser", "web · browser", "web", "web", "web · browser"]);
});

test("what a page asks of another service is not the browser's", () => {
  expect(
    servicesOf([1, 0, 0, 100, { op: "ui.action.click" }], [2, 1, 10, 50, { op: "function", service: "api" }]),
  ).toEqual(["web · browser", "api"]);
});

test("without anything that only browsers do, nothing changes", () => {
  const { browsers } = nameBrowserServices(
    makeTrace([1, 0, 0, 9, { op: "http.client" }], [2, 1, 1, 2, { op: "build" }]),
  );
  expect(browsers).toEqual(new Set());
  expect(servicesOf([1, 0, 0, 9, { op: "http.client" }])).toEqual(["web"]);
});
