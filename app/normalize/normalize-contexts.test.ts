import { describe, expect, test } from "vitest";
import { normalizeTestEvent } from "./normalize-test-event.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1";

function contextsOf(platform: string, headers?: Record<string, string>, context = {}) {
  return normalizeTestEvent({ platform, request: { url: "/", headers } }, context).contexts;
}

describe("the user agent of the event's request", () => {
  test("fills browser and system, with versions that browsers froze marked as such", () => {
    expect(contextsOf("javascript", { "User-Agent": CHROME })).toEqual({
      browser: { name: "Chrome", version: "120.0.0.0" },
      os: { name: "Windows", version: ">=10" },
    });
    expect(contextsOf("javascript", { "user-agent": SAFARI })?.os).toEqual({ name: "Mac OS", version: ">=10.15.7" });
  });

  test("is of the client where the event comes from a server", () => {
    expect(contextsOf("python", { "User-Agent": IPHONE })).toEqual({
      browser: { name: "Mobile Safari", version: "16.5" },
      client_os: { name: "iOS", version: "16.5" },
      device: { family: "iPhone", model: "iPhone", brand: "Apple" },
    });
  });

  test("fills only what the SDK left open", () => {
    const event = normalizeTestEvent({
      platform: "javascript",
      contexts: { browser: { name: "Mine" } },
      request: { headers: { "User-Agent": CHROME } },
    });
    expect(event.contexts).toEqual({ browser: { name: "Mine" }, os: { name: "Windows", version: ">=10" } });
  });

  test("says nothing when it is a library's", () => {
    expect(contextsOf("python", { "User-Agent": "python-requests/2.0" })).toBeUndefined();
  });

  test("gives way to client hints", () => {
    expect(
      contextsOf("javascript", {
        "User-Agent": CHROME,
        "Sec-CH-UA": '"Not_A Brand";v="8", "Chromium";v="121", "Microsoft Edge";v="121"',
        "Sec-CH-UA-Platform": '"Windows"',
        "Sec-CH-UA-Platform-Version": '"15.0.0"',
      }),
    ).toEqual({ browser: { name: "Microsoft Edge", version: "121" }, os: { name: "Windows", version: "11" } });
  });
});

describe("the user agent of the HTTP request that brought the event", () => {
  test("counts for browsers that said nothing themselves", () => {
    expect(contextsOf("javascript", undefined, { userAgent: CHROME })?.browser?.name).toBe("Chrome");
    const hints = { "sec-ch-ua": '"Google Chrome";v="122"' };
    expect(contextsOf("javascript", undefined, { userAgent: CHROME, clientHints: hints })?.browser).toEqual({
      name: "Chrome",
      version: "122",
    });
  });

  test("is the server's own for events of servers", () => {
    expect(contextsOf("node", undefined, { userAgent: CHROME })).toBeUndefined();
  });

  test("is shared in no way between events", () => {
    const first = contextsOf("javascript", { "User-Agent": CHROME });
    if (first?.browser) first.browser.name = "changed";
    expect(contextsOf("javascript", { "User-Agent": CHROME })?.browser?.name).toBe("Chrome");
  });
});

test.each([
  ["Microsoft Windows 10.0.19045", { name: "Microsoft Windows", version: "10.0.19045" }],
  [".NET Core 3.1.3", { name: ".NET Core", version: "3.1.3" }],
  ["Linux 5.3.0-generic #0 SMP", { name: "Linux", version: "5.3.0-generic" }],
  ["Mono", { name: "Mono" }],
])("the description %j is taken apart", (raw_description, expected) => {
  const event = normalizeTestEvent({
    contexts: { os: { raw_description }, runtime: { raw_description, name: "own" } },
  });
  expect(event.contexts?.os).toEqual({ raw_description, ...expected });
  expect(event.contexts?.runtime?.name).toBe("own");
});

test("a context is kept within its size and depth", () => {
  const event = normalizeTestEvent({
    contexts: { big: { a: "x".repeat(10_000) }, deep: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
  });
  expect(JSON.stringify(event.contexts?.big).length).toBeLessThanOrEqual(8_192);
  expect(event.contexts?.deep).toEqual({ a: { b: { c: { d: { e: '{"f":1}' } } } } });
});
