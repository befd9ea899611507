import { render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { SpanDetail } from "./get-span.server.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { SpanDrawer } from "./span-drawer.tsx";
import { readTraceOptions } from "./trace-options.ts";

const SPAN: SpanDetail = {
  id: "00f067aa0ba902b7",
  op: "http.server",
  name: "GET /cart",
  service: "shop",
  project: "shop",
  status: "ok",
  startUs: 0,
  durationUs: 1_000,
  selfUs: 1_000,
  startedUs: Date.UTC(2026, 10, 28) * 1_000,
  sentStartUs: null,
  release: null,
  environment: null,
  sampleRate: null,
  sdk: null,
  attributes: [],
  attributeCount: 0,
  modelCall: null,
  parent: null,
  children: [],
  childCount: 0,
  links: [],
  linkedFrom: [],
  logs: [],
  usual: null,
  profilePath: null,
  alike: "",
};
const PAGE = { traceId: "1".repeat(32), durationUs: 1_000, errors: [] } as Partial<TracePage>;

function renderDrawer(change: Partial<SpanDetail>) {
  const page = { ...PAGE, options: readTraceOptions(new URLSearchParams()), span: { ...SPAN, ...change } } as TracePage;
  const Stub = createRoutesStub([
    { path: "/", Component: () => <SpanDrawer page={page} span={{ ...SPAN, ...change }} /> },
  ]);
  render(<Stub />);
}

test("a span whose time was moved says when its sender had it begin", () => {
  renderDrawer({ sentStartUs: 1_000_000 });
  expect(screen.getByText("as sent").nextElementSibling?.textContent).toMatch(/1970.*clock that differs/);
});

test("a span whose time was taken says nothing of it", () => {
  renderDrawer({});
  expect(screen.queryByText("as sent")).toBeNull();
});

test("a short span of a long trace is some part of it", () => {
  renderDrawer({ durationUs: 2, selfUs: 0 });
  expect(screen.getByText("took").nextElementSibling?.textContent).toMatch(/< 1 % of the trace/);
  expect(screen.getByText("own time").nextElementSibling?.textContent).toMatch(/ 0 % of the trace/);
});

test("signs that turn the direction are written out in keys and values", () => {
  renderDrawer({ attributes: [["\u202eyek", "a\u202eb"]] });
  expect(screen.getByText("\\u202Eyek")).toBeTruthy();
  expect(screen.getByText("a\\u202Eb")).toBeTruthy();
});

test("a span with more attributes than are shown says so", () => {
  renderDrawer({ attributes: [["a", "b"]], attributeCount: 1 });
  expect(screen.queryByText(/Only the first/)).toBeNull();
  renderDrawer({ attributes: [["a", "b"]], attributeCount: 612 });
  expect(screen.getByText("612")).toBeTruthy();
  expect(screen.getByText("Only the first 1 that were sent are shown.")).toBeTruthy();
});

test("ids of profiles lead to what is stored of them", () => {
  const id = "5".repeat(32);
  renderDrawer({ attributes: [["sentry.profile_id", id]] });
  expect(screen.getByRole("link", { name: id }).getAttribute("href")).toBe(`/events/${id}`);
});

test("a call of a model shows its tokens and messages, and not its JSON beside them", () => {
  const key = "gen_ai.input.messages";
  renderDrawer({
    attributes: [
      [key, '[{"role":"user","content":"Where is it?"}]'],
      ["gen_ai.operation.name", "chat"],
    ],
    attributeCount: 2,
    modelCall: {
      model: "gpt-5",
      provider: "openai",
      tokens: { input: 1_234, cached: 1_000, output: 56, reasoning: null },
      messages: [{ role: "user", text: "Where is it?" }],
      messageCount: 1,
      keys: [key],
    },
  });
  expect(screen.getByText("tokens").nextElementSibling?.textContent).toBe("1,234 in (1,000 cached), 56 out");
  expect(screen.getByText("Where is it?").previousElementSibling?.textContent).toBe("user");
  expect(screen.queryByText(key)).toBeNull();
  expect(screen.getByText("gen_ai.operation.name")).toBeTruthy();
});
