import { createStaticHandler, type MiddlewareFunction, RouterContextProvider, type ServerBuild } from "react-router";
import { describe, expect, test } from "vitest";
import { createPrefetchMiddleware, listPrefetchKinds } from "./prefetch.server.ts";

type Routes = ServerBuild["routes"];

function route(id: string, parentId: string | undefined, path: string | undefined, handle?: unknown): Routes {
  return { [id]: { id, parentId, path, module: { default: () => null, handle } } };
}

const routes: Routes = {
  ...route("root", undefined, ""),
  ...route("frame", "root", undefined),
  ...route("issues", "frame", "issues"),
  ...route("settings", "frame", "projects/:slug/settings", { prefetch: "static" }),
  ...route("keys", "settings", "keys"),
  ...route("issue", "frame", "issues/:issueId", { prefetch: "static" }),
  ...route("latest", "issue", undefined, { prefetch: "live" }),
};

describe("listPrefetchKinds", () => {
  test("takes what a route says, or its nearest parent, or live", () => {
    const kinds = listPrefetchKinds(routes);
    expect(kinds.get("/issues")).toBe("live");
    expect(kinds.get("/projects/:slug/settings")).toBe("static");
    expect(kinds.get("/projects/:slug/settings/keys")).toBe("static");
  });

  test("takes the shorter time where a layout and its index differ", () => {
    expect(listPrefetchKinds(routes).get("/issues/:issueId")).toBe("live");
  });
});

describe("the prefetch middleware", () => {
  const middleware: MiddlewareFunction[] = [
    async (args, next) => {
      const answered = async () => {
        const response = await next();
        if (!(response instanceof Response)) throw new Error("expected a response");
        return response;
      };
      return createPrefetchMiddleware(async () => ({ routes }))(args, answered);
    },
  ];
  const handler = createStaticHandler([
    { path: "/issues", middleware, loader: () => null, action: () => null },
    { path: "projects/:slug/settings", middleware, loader: () => null },
    { path: "/kept", middleware, loader: () => null },
    { path: "/broken", middleware, loader: () => null },
  ]);

  async function answer(path: string, headers: Record<string, string>, method = "GET"): Promise<Headers> {
    const request = new Request(`http://x.test${path}`, { method, headers, ...(method === "POST" && { body: "" }) });
    const response = await handler.query(request, {
      requestContext: new RouterContextProvider(),
      generateMiddlewareResponse: async (query) => {
        await query(request);
        if (path === "/kept") return new Response("", { headers: { "cache-control": "no-store" } });
        return new Response("", { status: path === "/broken" ? 500 : 200 });
      },
    });
    if (!(response instanceof Response)) throw new Error("expected a response");
    return response.headers;
  }
  test("keeps a prefetched page for as long as its kind allows, for the same cookies only", async () => {
    const live = await answer("/issues", { "sec-purpose": "prefetch" });
    expect(live.get("cache-control")).toBe("private, max-age=30");
    expect(live.get("vary")).toBe("cookie");
    const fixed = await answer("/projects/shop/settings", { "sec-purpose": "prefetch;prerender" });
    expect(fixed.get("cache-control")).toBe("private, max-age=300");
  });

  test("leaves a page that is not prefetched alone", async () => {
    expect((await answer("/issues", {})).has("cache-control")).toBe(false);
  });

  test("leaves what a route itself says about keeping it, and keeps no failure", async () => {
    expect((await answer("/kept", { "sec-purpose": "prefetch" })).get("cache-control")).toBe("no-store");
    expect((await answer("/broken", { "sec-purpose": "prefetch" })).has("cache-control")).toBe(false);
  });

  test("changes a cookie with every action, so that no earlier prefetch matches", async () => {
    const cookies = [
      await answer("/issues", { cookie: "culprit_session=x" }, "POST"),
      await answer("/issues", { cookie: "culprit_session=x" }, "POST"),
    ].map((headers) => headers.get("set-cookie")?.split(";")[0]);
    expect(cookies[0]).toMatch(/^culprit_change=/);
    expect(cookies[0]).not.toBe(cookies[1]);
  });

  test("gives no cookie to machines, which have none", async () => {
    expect((await answer("/issues", {}, "POST")).has("set-cookie")).toBe(false);
  });
});
