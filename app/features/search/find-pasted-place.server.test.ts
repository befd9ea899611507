import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Workspace } from "../../access/workspace.ts";
import { findPastedPlace, toPastedPath } from "./find-pasted-place.server.ts";

const EVENT = "a".repeat(32);
const workspace = testWorkspace({
  state: {
    issues: { getIssueByShortId: async (_: unknown, id: string) => (id === "SHOP-1" ? { id: 7 } : null) },
  } as unknown as Workspace["state"],
  isPending: () => false,
  events: {
    getEvent: async (id) =>
      id === EVENT ? ({ issueId: 7 } as unknown as Awaited<ReturnType<Workspace["events"]["getEvent"]>>) : null,
    readTraceSpans: async () => ({ count: 0 }) as Awaited<ReturnType<Workspace["events"]["readTraceSpans"]>>,
    listTraceLogs: async () => [],
    findIssues: async () => ({ issueIds: [] }) as unknown as Awaited<ReturnType<Workspace["events"]["findIssues"]>>,
  },
});
const find = async (text: string) => {
  const place = await findPastedPlace(workspace, text, { origin: "https://culprit.example" });
  return place && toPastedPath(place);
};

test.each([
  ["SHOP-1", "/issues/7"],
  [EVENT, `/issues/7/events/${EVENT}`],
  [" https://culprit.example/traces?q=span.op%3Adb#top ", "/traces?q=span.op%3Adb#top"],
  ["https://culprit.example//evil.example/", "/evil.example/"],
  ["https://acme.sentry.example/issues/SHOP-1/?project=3", "/issues/7"],
  [`https://sentry.example/organizations/acme/issues/99/events/${EVENT}/`, `/issues/7/events/${EVENT}`],
  ["https://sentry.example/organizations/acme/issues/SHOP-1/events/latest/", "/issues/7"],
])("%s leads to %s", async (text, path) => {
  expect(await find(text)).toBe(path);
});

test.each([
  "https://culprit.example/api/0/",
  "https://sentry.example/organizations/acme/issues/99/",
  `https://sentry.example/performance/trace/${"b".repeat(32)}/`,
  "https://shop.example/checkout and more",
  "https://[",
  "level:error",
])("%s is searched for", async (text) => {
  expect(await find(text)).toBeNull();
});
