import { describe, expect, test } from "vitest";
import { BROWSERS, type Browser, browserCases, readRecorded } from "../../tests/support/grouping-fixtures.ts";
import type { SentryEvent } from "../domain/event.ts";
import { normalizeEvent } from "../normalize/normalize-event.ts";
import { type Grouping, groupEvent } from "./group-event.ts";

/**
 * Where the engines do not see the same stack, and one key cannot be made of both. JavaScriptCore drops frames whose last
 * act is a call and does not name functions assigned to members; V8 hides the constructors of errors, whose names a
 * minifier changed. These find each other by what the reports leave for other engines.
 */
const SEEN_DIFFERENTLY = new Set([
  "aggregate.min",
  "arrow-field",
  "arrow-field.min",
  "assigned-method",
  "assigned-method.min",
  "error-with-cause.min",
  "event-handler-property",
  "event-handler-property.min",
  "method",
  "method.min",
  "nested-functions",
  "private-method",
  "private-method.min",
  "promise-rejection.min",
  "prototype-method",
  "prototype-method.min",
  "replace-callback.min",
  "tail-call",
  "tail-call.min",
]);

describe("an error recorded in Chromium, Firefox and WebKit", () => {
  const cases = browserCases();

  test("was recorded in each of them", () => {
    expect(cases.length).toBeGreaterThan(80);
    for (const name of cases)
      for (const browser of BROWSERS) expect(readRecorded(browser, name).platform).toBe("javascript");
  });

  test.each(cases.filter((name) => !SEEN_DIFFERENTLY.has(name)))("%s has one key", (name) => {
    const hashes = BROWSERS.map((browser) => groupingOf(browser, name).hashes[0]);
    expect(new Set(hashes).size).toBe(1);
  });

  test.each([...SEEN_DIFFERENTLY])("%s is seen differently, which no key can hide", (name) => {
    const hashes = BROWSERS.map((browser) => groupingOf(browser, name).hashes[0]);
    expect(new Set(hashes).size).toBeGreaterThan(1);
  });

  test.each([
    [["chromium", "firefox", "webkit"]],
    [["chromium", "webkit", "firefox"]],
    [["firefox", "chromium", "webkit"]],
    [["firefox", "webkit", "chromium"]],
    [["webkit", "chromium", "firefox"]],
    [["webkit", "firefox", "chromium"]],
  ] satisfies Array<[Browser[]]>)("becomes one issue whichever browser reports it first: %s", (order) => {
    const store = createIssueFinder();
    const issuesByCase = new Map<string, Set<number>>();
    for (const browser of order) {
      for (const name of cases) {
        const issues = issuesByCase.get(name) ?? new Set();
        issuesByCase.set(name, issues.add(store.put(groupingOf(browser, name))));
      }
    }
    const split = [...issuesByCase].filter(([, issues]) => issues.size > 1).map(([name]) => name);
    expect(split).toEqual([]);
    // The same error in a readable and in a minified build may share an issue; two errors never do.
    const casesByIssue = new Map<number, Set<string>>();
    for (const [name, issues] of issuesByCase) {
      for (const issue of issues)
        casesByIssue.set(issue, (casesByIssue.get(issue) ?? new Set()).add(name.replace(/\.min$/, "")));
    }
    expect([...casesByIssue.values()].filter((names) => names.size > 1)).toEqual([]);
  });

  test("is told apart from every other error", () => {
    const nameByHash = new Map<string, string>();
    for (const name of cases) {
      const hash = groupingOf("chromium", name).hashes[0] ?? "";
      expect(nameByHash.get(hash) ?? name.replace(/\.min$/, "")).toBe(name.replace(/\.min$/, ""));
      nameByHash.set(hash, name.replace(/\.min$/, ""));
    }
  });
});

describe("keys for other engines", () => {
  test("never join two errors of one engine that share a helper and a message", () => {
    const store = createIssueFinder();
    const inCart = store.put(groupEvent(chromeEvent(["onClick", "loadCart", "request"])));
    const inProfile = store.put(groupEvent(chromeEvent(["onClick", "loadProfile", "request"])));
    expect(inProfile).not.toBe(inCart);
  });

  test("are not left by what has no stack, nor by other platforms", () => {
    expect(groupEvent(chromeEvent([])).kin).toBeNull();
    expect(groupEvent({ ...chromeEvent(["a", "b"]), platform: "node" }).kin).toBeNull();
  });

  test.each([
    ["the same message joins", "the server said 500", true],
    ["another message stays apart", "timed out", false],
  ])("a report with a dropped frame and %s", (_what, value, joins) => {
    const store = createIssueFinder();
    const issue = store.put(groupEvent(chromeEvent(["onClick", "loadCart", "request"])));
    const safari = chromeEvent(["onClick", "request"], { userAgent: SAFARI, value });
    expect(store.put(groupEvent(safari)) === issue).toBe(joins);
  });
});

function groupingOf(browser: Browser, name: string): Grouping {
  return groupEvent(normalizeEvent(readRecorded(browser, name), CONTEXT));
}

const CONTEXT = {
  eventId: "0".repeat(32),
  receivedAt: 1_767_323_046_000,
  sentAt: null,
  clientAddress: null,
  userAgent: null,
  sdk: null,
  trace: null,
};

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15";

function chromeEvent(functions: string[], { userAgent = CHROME, value = "the server said 500" } = {}): SentryEvent {
  const frames = functions.map((name) => ({
    function: name,
    abs_path: "https://shop.example/a.js",
    filename: "/a.js",
    in_app: true,
  }));
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "javascript",
    level: "error",
    request: { headers: [["User-Agent", userAgent]] },
    exception: { values: [{ type: "Error", value, ...(frames.length > 0 ? { stacktrace: { frames } } : {}) }] },
  };
}

/** What the state store does with keys: the first known hash decides, then what another engine left; then a new issue. */
function createIssueFinder() {
  const issueByHash = new Map<string, number>();
  const issueByLeftKey = new Map<string, number>();
  let count = 0;
  return {
    put({ hashes, kin }: Grouping): number {
      const known = hashes.find((hash) => issueByHash.has(hash));
      const sought = kin?.seek.find((key) => issueByLeftKey.has(key));
      const found =
        known !== undefined ? issueByHash.get(known) : sought !== undefined ? issueByLeftKey.get(sought) : undefined;
      const issue = found ?? ++count;
      const isMainNew = !issueByHash.has(hashes[0] ?? "");
      for (const hash of hashes) if (!issueByHash.has(hash)) issueByHash.set(hash, issue);
      if (isMainNew) for (const key of kin?.leave ?? []) if (!issueByLeftKey.has(key)) issueByLeftKey.set(key, issue);
      return issue;
    },
  };
}
