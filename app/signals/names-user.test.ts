import { expect, test } from "vitest";
import type { NamedUser } from "../domain/named-user.ts";
import { encodeStoredItem } from "../protocol/stored-item.ts";
import { UserMatcher } from "./names-user.ts";

const ID: NamedUser = { field: "id", value: "42" };
const EMAIL: NamedUser = { field: "email", value: "ann@example.com" };
const ADDRESS: NamedUser = { field: "address", value: "203.0.113.7" };
const V6: NamedUser = { field: "address", value: "2001:DB8:0::7" };

const bytes = (text: string) => new TextEncoder().encode(text);

function isItemOf(user: NamedUser, value: object | string, clientAddress: string | null = "198.51.100.1"): boolean {
  const payload = bytes(typeof value === "string" ? value : JSON.stringify(value));
  const stored = encodeStoredItem({
    envelopeHeader: {},
    header: { type: "x" },
    request: { clientAddress, userAgent: null },
    payload,
  });
  return new UserMatcher(user).isItemOf(stored);
}

test.each<[NamedUser, string | null, boolean | null]>([
  [ID, "id:42", true],
  [ID, "id:4", false],
  [ID, "email:42", false],
  [ID, null, false],
  [EMAIL, "email:Ann@Example.com", true],
  [EMAIL, "email:bob@example.com", false],
  [EMAIL, "id:42", null],
  [EMAIL, "username:ann", false],
  [ADDRESS, "ip:203.0.113.7", true],
  [ADDRESS, "ip:203.0.113.70", false],
  [ADDRESS, "username:ann", null],
  [V6, "ip:2001:db8::7", true],
  [V6, "ip:2001:db8:0:0::7", true],
])("%j: the key %j is the user's: %j", (user, key, is) => {
  expect(new UserMatcher(user).isKeyOf(key)).toBe(is);
});

test("an event is the user's when its user says so, wherever else the value is", () => {
  const event = (user: unknown, extra = "ann@example.com") =>
    bytes(JSON.stringify({ event: { user, extra: { extra } }, grouping: null }));
  const matcher = new UserMatcher(EMAIL);
  expect(matcher.isEventOf(event({ id: "1", email: "ANN@example.com" }))).toBe(true);
  expect(matcher.isEventOf(event({ id: "1", email: "bob@example.com" }))).toBe(false);
  expect(matcher.isEventOf(event(undefined))).toBe(false);
  expect(matcher.isEventOf(bytes("no JSON, ann@example.com"))).toBe(false);
});

test.each<[string, NamedUser, object | string, boolean]>([
  ["a transaction", EMAIL, { user: { email: "ann@example.com" } }, true],
  ["a transaction of another", EMAIL, { user: { email: "joann@example.com" } }, false],
  ["an id that is a number", ID, { user: { id: 42 } }, true],
  ["a longer id", ID, { user: { id: "142" } }, false],
  ["feedback", EMAIL, { contexts: { feedback: { contact_email: "Ann@example.com" } } }, true],
  ["a user report", EMAIL, { email: "ann@example.com", comments: "It broke" }, true],
  ["a container of logs", ID, { items: [{}, { attributes: { "user.id": { value: "42", type: "string" } } }] }, true],
  ["a span", EMAIL, { data: { "user.email": "ann@example.com" } }, true],
  ["a span of an address", ADDRESS, { data: { "client.address": "203.0.113.7" } }, true],
  ["a transaction whose own span names them", ID, { contexts: { trace: { data: { "user.id": "42" } } } }, true],
  ["a transaction whose tags are a list of pairs", EMAIL, { tags: [["user.email", "ann@example.com"]] }, true],
  ["a transaction whose tags are a list of objects", ID, { tags: [{ key: "user.id", value: "42" }] }, true],
  ["a list of tags of another", ID, { tags: [["user.id", "43"], ["plan", "42"], null] }, false],
  ["a transaction with its spans", ID, { spans: [null, { data: { "user.id": 42 } }] }, true],
  ["an address written in another way", V6, { user: { ip_address: "2001:db8:0:0:0:0:0:7" } }, true],
  ["letters written as escapes", EMAIL, '{"user":{"email":"\\u0061nn@example.com"}}', true],
  ["no JSON", EMAIL, "ann@example.com", false],
  ["text elsewhere", EMAIL, { message: "ann@example.com" }, false],
])("%s", (_, user, value, is) => {
  expect(isItemOf(user, value)).toBe(is);
});

test("what names no address is of where it came from", () => {
  expect(isItemOf(ADDRESS, { user: { id: "1" } }, "203.0.113.7")).toBe(true);
  expect(isItemOf(ADDRESS, { user: { ip_address: "{{auto}}" } }, "203.0.113.7")).toBe(true);
  expect(isItemOf(ADDRESS, { user: { ip_address: "198.51.100.9" } }, "203.0.113.7")).toBe(false);
  expect(isItemOf(EMAIL, {}, "203.0.113.7")).toBe(false);
});
