import { expect, test } from "vitest";
import { keepWhileSame } from "./keep-while-same.ts";

const shouldRevalidate = keepWhileSame((url, { id }) => `${id} ${url.searchParams.get("q")}`);

function ask(from: string, to: string, more: { formMethod?: "GET" | "POST"; ids?: [string, string] } = {}): boolean {
  const [currentId, nextId] = more.ids ?? ["1", "1"];
  return shouldRevalidate({
    ...{ currentUrl: new URL(from, "http://culprit.test"), nextUrl: new URL(to, "http://culprit.test") },
    ...{ currentParams: { id: currentId }, nextParams: { id: nextId } },
    ...{ formMethod: more.formMethod, defaultShouldRevalidate: true },
  });
}

test("a route keeps its data while its part of the address stays the same", () => {
  expect(ask("/logs?q=a", "/logs?q=a&line=7")).toBe(false);
  expect(ask("/logs?q=a", "/logs?q=a&line=7", { formMethod: "GET" })).toBe(false);
  expect(ask("/logs?q=a", "/logs?q=b")).toBe(true);
  expect(ask("/logs/1?q=a", "/logs/2?q=a", { ids: ["1", "2"] })).toBe(true);
});

test("a route loads again after a form was sent, and when its address is opened again", () => {
  expect(ask("/logs?q=a", "/logs?q=a&line=7", { formMethod: "POST" })).toBe(true);
  expect(ask("/logs?q=a", "/logs?q=a")).toBe(true);
});
