import { describe, expect, test } from "vitest";
import { DEFAULT_PRIVACY, type PrivacySettings } from "../domain/privacy/privacy-settings.ts";
import { normalizeTestEvent } from "../normalize/normalize-test-event.ts";
import { toUserKey } from "../signals/error/user-key.ts";
import { compileScrubRules } from "./compile-scrub-rules.ts";
import { scrubEvent } from "./scrub-event.ts";
import { scrubJson } from "./scrub-json.ts";
import { scrubText } from "./scrub-text.ts";

const rulesOf = (settings: Partial<PrivacySettings>) => compileScrubRules({ ...DEFAULT_PRIVACY, ...settings });
const scrub = (raw: object, settings: Partial<PrivacySettings>) =>
  scrubEvent(normalizeTestEvent(raw), rulesOf(settings));

describe("sensitive keys", () => {
  const rules = rulesOf({ sensitiveKeys: ["iban", "home address", "Straße"] });

  test.each([
    ["iban", true],
    ["IBAN", true],
    ["customerIban", true],
    ["iban-code", true],
    ["caribana", false],
    ["home_address", true],
    ["homeAddress", true],
    ["address", false],
    ["userStraße", true],
    ["password", true],
    ["author", false],
  ])("%s: %s", (key, isMasked) => {
    expect(rules.findKey(key) !== null).toBe(isMasked);
  });

  test("mask texts, numbers, headers, cookies and what stands inside of texts", () => {
    const event = scrub(
      {
        message: "pay iban=DE02120300000000202051 now",
        request: { headers: { "X-Iban": "DE02" }, cookies: { iban: "DE03" }, data: { iban: 42, note: "hello" } },
        breadcrumbs: { values: [{ timestamp: 1, category: "pay", data: { customerIban: "DE04" } }] },
        tags: { iban: "DE05" },
      },
      { sensitiveKeys: ["iban"] },
    );
    expect(JSON.stringify(event)).not.toMatch(/DE0\d/);
    expect(event.request?.data).toEqual({ iban: "[Filtered]", note: "hello" });
    expect(event.logentry?.formatted ?? event.logentry?.message).toBe("pay iban=[Filtered] now");
    expect(event._meta).toMatchObject({ request: { headers: { 0: { 1: { "": { rem: [["@own", "s", 0, 10]] } } } } } });
  });

  test("keep the shape of what they cover, and mask all of it", () => {
    const event = scrub(
      {
        user: { id: "7", data: { plan: "gold", seats: [1, "two"] } },
        breadcrumbs: { values: [{ timestamp: 1, data: { url: "/x" } }] },
        contexts: { device: { name: "phone", model_id: "9" } },
      },
      { sensitiveKeys: ["data", "device"] },
    );
    expect(event.user?.data).toEqual({ plan: "[Filtered]", seats: ["[Filtered]", "[Filtered]"] });
    expect(event.breadcrumbs?.values[0]?.data).toEqual({ url: "[Filtered]" });
    expect(event.contexts?.device).toEqual({ name: "[Filtered]", model_id: "[Filtered]" });
    expect(scrubJson({ data: { n: { type: "integer", value: 4 } } }, rulesOf({ sensitiveKeys: ["n"] })).value).toEqual({
      data: { n: { type: "string", value: "[Filtered]" } },
    });
  });

  test("do not reach keys that others rely on", () => {
    const value = { event_id: "a".repeat(32), trace_id: "b".repeat(32), my_id: "c" };
    expect(scrubJson(value, rulesOf({ sensitiveKeys: ["id"] })).value).toEqual({ ...value, my_id: "[Filtered]" });
  });

  test("a masked user names nobody, and the tag of the server does not say who it was", () => {
    const event = scrub({ user: { email: "ada@example.org", ip_address: "192.0.2.7" } }, { sensitiveKeys: ["email"] });
    expect(JSON.stringify(event)).not.toContain("ada@");
    expect(toUserKey(event.user)).toBe("ip:192.0.2.7");
    expect(event.tags).toContainEqual(["user", "ip:192.0.2.7"]);
  });
});

test("safe keys keep texts and numbers, and objects under them are looked into", () => {
  const rules = rulesOf({ safeKeys: ["session_token", "reference"], sensitiveKeys: ["reference"] });
  const value = {
    sessionToken: "abc123",
    reference: "4111 1111 1111 1111",
    other_session_token: "abc123",
    nested: { reference: { password: "hunter2" } },
  };
  expect(scrubJson(structuredClone(value), rules).value).toEqual({
    ...value,
    other_session_token: "[Filtered]",
    nested: { reference: { password: "[Filtered]" } },
  });
  expect(rules.findCookie("session_token")).toBeNull();
});

test("without the built-in rules only the project's own keys are masked, and without masking none", () => {
  const text = "password=hunter2 iban=DE02 card 4111 1111 1111 1111";
  const own = rulesOf({ usesBuiltInRules: false, sensitiveKeys: ["iban"] });
  expect(scrubText(text, own)?.text).toBe("password=hunter2 iban=[Filtered] card 4111 1111 1111 1111");
  expect(scrubText(text, rulesOf({ masksData: false, sensitiveKeys: ["iban"] }))).toBeNull();
  expect(scrubText(text, rulesOf({}))?.text).toBe(scrubText(text)?.text);
});

test("addresses go from the user, headers, variables, tags and attributes, whatever else is switched off", () => {
  const settings = { dropsAddresses: true, masksData: false, safeKeys: ["client.address"] };
  const event = scrub(
    {
      user: { ip_address: "192.0.2.7" },
      request: {
        headers: { "X-Forwarded-For": "192.0.2.7, 10.0.0.1", "cf-connecting-ip": "192.0.2.7", Host: "shop" },
        env: { REMOTE_ADDR: "192.0.2.7", HTTP_X_REAL_IP: "192.0.2.7", SERVER_PORT: "80" },
      },
    },
    settings,
  );
  expect(JSON.stringify(event)).not.toContain("192.0.2.7");
  expect(toUserKey(event.user)).toBeNull();
  expect(event.tags?.map(([key]) => key) ?? []).not.toContain("user");
  const attributes = {
    "client.address": { type: "string", value: "192.0.2.7" },
    "user.ip_address": { type: "string", value: "192.0.2.7" },
    "http.request.header.x_forwarded_for": { type: "string[]", value: ["192.0.2.7"] },
    "http.route": { type: "string", value: "/a" },
  };
  const scrubbed = JSON.stringify(scrubJson({ attributes }, rulesOf(settings)).value);
  expect(scrubbed).not.toContain("192.0.2.7");
  expect(scrubbed).toContain("/a");
});
