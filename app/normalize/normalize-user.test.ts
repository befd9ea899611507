import { describe, expect, test } from "vitest";
import { normalizeTestEvent } from "./normalize-test-event.ts";

const CLIENT = "203.0.113.7";

function addressOf(raw: Record<string, unknown>, context = {}) {
  return normalizeTestEvent(raw, context).user?.ip_address;
}

describe("the address of a user", () => {
  test("is the sender's where the SDK asks for it", () => {
    expect(addressOf({ user: { ip_address: "{{auto}}" } })).toBe(CLIENT);
    expect(addressOf({ request: { env: { REMOTE_ADDR: "{{auto}}" } } })).toBe(CLIENT);
  });

  test("fills the request's address too", () => {
    const event = normalizeTestEvent({ request: { env: { REMOTE_ADDR: "{{auto}}" } } });
    expect(event.request?.env).toEqual({ REMOTE_ADDR: CLIENT });
  });

  test("is the one that the server saw", () => {
    expect(addressOf({ platform: "python", request: { env: { REMOTE_ADDR: "198.51.100.2" } } })).toBe("198.51.100.2");
  });

  test.each([
    ["javascript", CLIENT],
    ["cocoa", CLIENT],
    ["objc", CLIENT],
    ["python", undefined],
    ["node", undefined],
  ])("of %s without any word is %s", (platform, expected) => {
    expect(addressOf({ platform })).toBe(expected);
  });

  test("is not guessed when the SDK says never, not even on request", () => {
    const sdk = { name: "x", settings: { infer_ip: "never" } };
    expect(addressOf({ platform: "javascript", sdk })).toBeUndefined();
    expect(addressOf({ platform: "javascript", user: { id: "1", ip_address: "{{auto}}" }, sdk })).toBeUndefined();
    const asked = normalizeTestEvent({ request: { url: "/", env: { REMOTE_ADDR: "{{auto}}" } }, sdk });
    expect(JSON.stringify(asked)).not.toContain(CLIENT);
    expect(asked.request?.env).toEqual({});
    expect(addressOf({ platform: "javascript" }, { sdk })).toBeUndefined();
    expect(addressOf({ platform: "javascript", sdk: { name: "y" } }, { sdk })).toBeUndefined();
    expect(addressOf({ user: { ip_address: "198.51.100.2" }, sdk })).toBe("198.51.100.2");
  });

  test("is guessed for any platform when the SDK says auto", () => {
    expect(addressOf({ platform: "python", sdk: { name: "x", settings: { infer_ip: "auto" } } })).toBe(CLIENT);
  });

  test("is unknown when the sender's is", () => {
    expect(addressOf({ user: { ip_address: "{{auto}}" } }, { clientAddress: null })).toBeUndefined();
    expect(addressOf({ platform: "javascript" }, { clientAddress: "::ffff:203.0.113.9" })).toBe("203.0.113.9");
  });
});
