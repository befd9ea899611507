import { afterEach, expect, test, vi } from "vitest";
import { learnImports, type RouteMap } from "./learn-imports.ts";

const makeMap = (): RouteMap => ({ url: "/assets/manifest-1.js", routes: { root: {}, "routes/live": {} } });
const answerWith = (answer: () => Promise<Response>) => vi.stubGlobal("fetch", vi.fn(answer));

afterEach(() => vi.unstubAllGlobals());

test("routes of the map learn what their code imports; others are not made", async () => {
  answerWith(async () => Response.json({ root: ["/assets/react-1.js"], gone: ["/assets/gone-1.js"] }));
  const map = makeMap();
  await learnImports(map);
  expect(fetch).toHaveBeenCalledWith("/assets/manifest-1.json", { priority: "low" });
  expect(map.routes).toEqual({ root: { imports: ["/assets/react-1.js"] }, "routes/live": {} });
});

test.each([
  ["offline", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["with a newer build on the server", async () => new Response("Not found", { status: 404 })],
])("%s the map stays as it is", async (_, answer) => {
  answerWith(answer);
  const map = makeMap();
  await learnImports(map);
  expect(map).toEqual(makeMap());
});
