import { expect, test } from "vitest";
import type { SentryEvent } from "../domain/event.ts";
import { serializeEntries } from "./serialize-entries.ts";

const frame = {
  filename: "shop/cart.py",
  abs_path: "/srv/shop/cart.py",
  function: "total",
  lineno: 12,
  colno: 3,
  pre_context: ["def total(cart):", "    rows = cart.rows"],
  context_line: "    return sum(rows)",
  post_context: [""],
  in_app: true,
  vars: { rows: "None" },
};
const library = { filename: "wsgi.py", function: "run", lineno: 1, in_app: false };

function entriesOf(event: Partial<SentryEvent>): Record<string, unknown> {
  const entries = serializeEntries(event as SentryEvent);
  return Object.fromEntries(entries.map(({ type, data }) => [type, data]));
}

test("a frame has the names of Sentry's API, and its source with the numbers of its lines", () => {
  const stacktrace = { frames: [library, frame] };
  const { exception } = entriesOf({
    exception: { values: [{ type: "TypeError", value: "rows", thread_id: 7, stacktrace, raw_stacktrace: stacktrace }] },
  });
  const shown = {
    hasSystemFrames: true,
    framesOmitted: null,
    frames: [
      { filename: "wsgi.py", function: "run", lineNo: 1, colNo: null, absPath: null, inApp: false, context: [] },
      {
        filename: "shop/cart.py",
        absPath: "/srv/shop/cart.py",
        function: "total",
        lineNo: 12,
        colNo: 3,
        inApp: true,
        vars: { rows: "None" },
        context: [
          [10, "def total(cart):"],
          [11, "    rows = cart.rows"],
          [12, "    return sum(rows)"],
          [13, ""],
        ],
      },
    ],
  };
  expect(exception).toMatchObject({
    values: [{ type: "TypeError", value: "rows", threadId: 7, stacktrace: shown, rawStacktrace: shown }],
  });
});

test("a frame without the number of its line has its source, counted from that line", () => {
  const { exception } = entriesOf({
    exception: { values: [{ type: "TypeError", stacktrace: { frames: [{ ...frame, lineno: undefined }] } }] },
  });
  const context = [
    [-2, "def total(cart):"],
    [-1, "    rows = cart.rows"],
    [0, "    return sum(rows)"],
    [1, ""],
  ];
  expect(exception).toMatchObject({ values: [{ stacktrace: { frames: [{ lineNo: null, context }] } }] });
});

test("stacks of threads, and one without an exception, have them too", () => {
  const { threads, stacktrace } = entriesOf({
    threads: { values: [{ id: 1, name: "main", crashed: true, stacktrace: { frames: [frame] } }, { id: 2 }] },
    stacktrace: { frames: [frame] },
  });
  expect(threads).toMatchObject({
    values: [
      { id: 1, name: "main", stacktrace: { frames: [{ lineNo: 12 }] } },
      { id: 2, stacktrace: null },
    ],
  });
  expect(stacktrace).toMatchObject({ hasSystemFrames: false, frames: [{ lineNo: 12, inApp: true }] });
});

test("a request has its query under the name of the API, and an instant stands as text", () => {
  const { request, breadcrumbs } = entriesOf({
    request: { url: "https://shop.example/", query_string: [["page", "2"]], inferred_content_type: "text/plain" },
    breadcrumbs: { values: [{ type: "default", level: "info", timestamp: 1.5, message: "clicked" }] },
  });
  expect(request).toEqual({
    url: "https://shop.example/",
    query: [["page", "2"]],
    inferredContentType: "text/plain",
    apiTarget: null,
  });
  expect(breadcrumbs).toMatchObject({ values: [{ timestamp: "1970-01-01T00:00:01.500Z", message: "clicked" }] });
});
