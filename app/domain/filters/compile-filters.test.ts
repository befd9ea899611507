import { describe, expect, test } from "vitest";
import { toFilterSubject } from "../../digest/rules/event-subject.ts";
import { compileFilters } from "./compile-filters.ts";
import { type FilterSettings, NO_FILTERS } from "./filter-settings.ts";
import { fullEvent } from "./fixtures/full-event.ts";
import { compileGlob } from "./glob.ts";
import { readIpRange } from "./ip-ranges.ts";
import { readFilterSearch } from "./read-filter-search.ts";

function reasonOf(
  settings: Partial<FilterSettings>,
  event: Parameters<typeof fullEvent>[0],
  from: string | null = null,
) {
  return compileFilters({ ...NO_FILTERS, ...settings })?.(toFilterSubject(fullEvent(event), from)) ?? null;
}

const search = (text: string) => ({ conditions: [{ id: 4, name: "x", search: text, isEnabled: true }] });

describe("filters", () => {
  test("a project without filters costs nothing", () => {
    expect(compileFilters(NO_FILTERS)).toBeNull();
    expect(
      compileFilters({ ...NO_FILTERS, conditions: [{ id: 1, name: "x", search: "level:error", isEnabled: false }] }),
    ).toBeNull();
  });

  test.each([
    ["chrome-extension://abc/content.js", "browser-extensions"],
    ["moz-extension://0f/script.js", "browser-extensions"],
    ["safari-web-extension://0F/a.js", "browser-extensions"],
    ["https://shop.example/app.js", null],
  ])("an error thrown in %s", (path, reason) => {
    expect(
      reasonOf(
        { browserExtensions: true },
        { frames: [{ abs_path: "https://shop.example/a.js" }, { abs_path: path }] },
      ),
    ).toBe(reason);
  });

  test("an extension that called the application is not where the error was thrown", () => {
    const frames = [{ abs_path: "chrome-extension://abc/wrap.js" }, { abs_path: "https://shop.example/a.js" }];
    expect(reasonOf({ browserExtensions: true }, { frames })).toBeNull();
  });

  test.each([
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true],
    ["Mozilla/5.0 (compatible; bingbot/2.0)", true],
    ["facebookexternalhit/1.1", true],
    ["Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", false],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", false],
  ])("the user agent %s", (userAgent, isCrawler) => {
    expect(reasonOf({ webCrawlers: true }, { userAgent })).toBe(isCrawler ? "web-crawlers" : null);
  });

  test.each([
    ["http://localhost:3000/cart", null, true],
    ["http://127.0.0.1/", null, true],
    ["http://[::1]:8080/", null, true],
    ["https://shop.localhost/", null, true],
    ["https://localhost.example/", null, false],
    ["https://user@shop.example/?next=http://localhost/", null, false],
    // A proxy on the same machine, whose word for the address is not taken.
    ["https://shop.example/", "127.0.0.1", false],
  ])("the page %s from %s", (url, from, isLocal) => {
    expect(reasonOf({ localhost: true }, { url }, from)).toBe(isLocal ? "localhost" : null);
  });

  test.each([
    ["IE", "11.0", true],
    ["Safari", "12.1", true],
    ["Mobile Safari", "13.0.1", false],
    ["Chrome Mobile", "79.0.1", true],
    ["Chrome", "126.0", false],
    ["Chrome", undefined, false],
    ["Opera Mini", undefined, true],
  ])("the browser %s %s", (name, version, isOld) => {
    const legacyBrowsers = ["ie", "safari", "chrome", "opera_mini"] as const;
    expect(reasonOf({ legacyBrowsers }, { browser: { name, ...(version && { version }) } })).toBe(
      isOld ? "legacy-browsers" : null,
    );
  });

  test("messages are the type with the text, or the text alone; releases and addresses are lists", () => {
    const errorMessages = ["typeerror: load failed", "*ResizeObserver*"];
    expect(reasonOf({ errorMessages }, { type: "TypeError", value: "Load failed" })).toBe("error-message");
    expect(reasonOf({ errorMessages: ["Load failed"] }, { type: "TypeError", value: "Load failed" })).toBe(
      "error-message",
    );
    expect(reasonOf({ errorMessages }, { type: "TypeError", value: "Load failed at once" })).toBeNull();
    expect(reasonOf({ releases: ["shop@1.*"] }, { release: "shop@1.2.3" })).toBe("release-version");
    expect(reasonOf({ releases: ["shop@1.*"] }, { release: "shop@2.0.0" })).toBeNull();
    const ipAddresses = ["192.0.2.0/24", "2001:db8::/32"];
    expect(reasonOf({ ipAddresses }, {}, "192.0.2.77")).toBe("ip-address");
    expect(reasonOf({ ipAddresses }, { ip: "2001:db8::1" }, "198.51.100.1")).toBe("ip-address");
    expect(reasonOf({ ipAddresses }, {}, "::ffff:192.0.2.9")).toBe("ip-address");
    expect(reasonOf({ ipAddresses: ["::/0"] }, {}, "192.0.3.1")).toBeNull();
    expect(reasonOf({ ipAddresses: ["0.0.0.0/0"] }, {}, "192.0.3.1")).toBe("ip-address");
    expect(reasonOf({ ipAddresses }, {}, "192.0.3.1")).toBeNull();
  });

  test.each([
    ["environment:staging level:error", true],
    ["environment:production", false],
    ["error.type:TypeError error.value:undefined", true],
    ["!environment:production", true],
    ["message:*is undefined*", true],
    ["cart user.id:7", true],
    ["browser.name:Chrome OR team:shop", true],
    ["team:other", false],
    ["error.unhandled:true", false],
    ["release:>shop@1.0.0", true],
  ])("a condition of one's own: %s", (text, takes) => {
    const event = {
      type: "TypeError",
      value: "cart is undefined",
      environment: "staging",
      release: "shop@1.2.3",
      userId: "7",
      tags: [["team", "shop"]] as Array<[string, string]>,
    };
    expect(reasonOf(search(text), event)).toBe(takes ? "condition:4" : null);
  });
});

test.each([
  ["is:unresolved", "before it has an issue"],
  ["", "every event"],
  ["*", "every event"],
  ["level:error OR message:**", "every event"],
  ["release:latest", "Name the release"],
  ["(environment:staging", ""],
  ["timestamp:>2026-01-01", "as they come"],
])("the filter %s is refused", (text, words) => {
  const read = readFilterSearch(text);
  expect(read.ok ? "taken" : read.message).toContain(words);
  expect(read.ok).toBe(false);
});

test("a pattern with many stars takes time in proportion to the text", () => {
  const matches = compileGlob("*a*a*a*a*a*a*a*a*a*a*b");
  expect(matches("a".repeat(200_000))).toBe(false);
  expect(compileGlob("a*b*c")("aXbYc")).toBe(true);
  expect(compileGlob("ab*ba")("aba")).toBe(false);
});

test.each([
  "192.0.2.0/33",
  "1:2:3:4:5:6:7:8::",
  "1:2:3:4:5:6:7",
  "::1::",
  "256.0.0.1",
  "192.0.2",
  "10.0.0.0/8/8",
  "",
  "x",
  "::/129",
])("%s is no range", (text) => {
  expect(readIpRange(text)).toBeNull();
});
