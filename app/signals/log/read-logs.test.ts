import { expect, test } from "vitest";
import { NOTHING_TOGETHER } from "../otlp/resource.ts";
import { readLog } from "./read-logs.ts";

const bodyOf = (value: Record<string, unknown>) => {
  const log = readLog(value, NOTHING_TOGETHER, 1);
  return typeof log === "string" ? log : log.body;
};

test("a line that says null is a line, and one without a text is not", () => {
  expect(bodyOf({ body: "null" })).toBe("null");
  expect(bodyOf({ body: { a: null } })).toBe('{"a":null}');
  expect(bodyOf({ body: null })).toBe("missing_body");
  expect(bodyOf({})).toBe("missing_body");
});

test("an attribute named like the prototype stays", () => {
  const attributes = JSON.parse('{"__proto__":{"type":"string","value":"own"},"a":{"type":"integer","value":1}}');
  const log = readLog({ body: "hello", attributes }, NOTHING_TOGETHER, 1);
  expect(log).toMatchObject({ attributes: '{"__proto__":"own","a":1}' });
});

test("a line of Go's SDK is of its host", () => {
  const sent = { "sentry.server.address": { type: "string", value: "web-1" } };
  expect(readLog({ body: "hello", attributes: sent }, NOTHING_TOGETHER, 1)).toMatchObject({
    serverAddress: "web-1",
    attributes: '{"sentry.server.address":"web-1"}',
    rest: '{"culprit.inherited":["serverAddress"]}',
  });
  const both = { ...sent, "server.address": { type: "string", value: "web-2" } };
  expect(readLog({ body: "hello", attributes: both }, NOTHING_TOGETHER, 1)).toMatchObject({ serverAddress: "web-2" });
});
