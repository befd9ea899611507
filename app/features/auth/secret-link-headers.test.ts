import { expect, test } from "vitest";
import { toSecretLinkHeaders } from "./secret-link-headers.ts";

const none = new Headers();
const waiting = new Headers({ "retry-after": "30" });
const cached = new Headers({ "cache-control": "public, max-age=30" });
const SECRET = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

test.each([
  ["a loader", { loaderHeaders: waiting, actionHeaders: none, errorHeaders: undefined }],
  ["an action", { loaderHeaders: none, actionHeaders: waiting, errorHeaders: undefined }],
  ["a refusal", { loaderHeaders: cached, actionHeaders: none, errorHeaders: waiting }],
])("what %s sends goes out with the page", (_, sent) => {
  expect(Object.fromEntries(toSecretLinkHeaders(sent))).toEqual({ ...SECRET, "retry-after": "30" });
});

test("a page is in a cache only where it says so, and a refusal never is", () => {
  const sent = { loaderHeaders: cached, actionHeaders: none, errorHeaders: undefined };
  expect(toSecretLinkHeaders(sent).get("cache-control")).toBe("no-store");
  expect(toSecretLinkHeaders(sent, { mayBeCached: true }).get("cache-control")).toBe("public, max-age=30");
  const refused = { ...sent, errorHeaders: waiting };
  expect(toSecretLinkHeaders(refused, { mayBeCached: true }).get("cache-control")).toBe("no-store");
});
