import { describe, expect, test } from "vitest";
import { candidateUrls, cleanPath, joinUrl, skipReason, withoutHash } from "./frame-urls.ts";
import { describeSource, moduleOf } from "./source-paths.ts";

test.each([
  ["async https://a/b.js", "https://a/b.js"],
  ["at async https://a/b.js", "https://a/b.js"],
  [" app:///x.js ", "app:///x.js"],
  ["address at app:///main.jsbundle", "app:///main.jsbundle"],
  ["asynchronous.js", "asynchronous.js"],
])("cleans %s", (path, clean) => expect(cleanPath(path)).toBe(clean));

describe("frames that no map can help", () => {
  test.each([
    [{}, "no-path"],
    [{ filename: "[native code]", lineno: 1 }, "native-code"],
    [{ abs_path: "native", lineno: 1 }, "native-code"],
    [{ abs_path: "<anonymous>", lineno: 1 }, "anonymous-code"],
    [{ abs_path: "<anonymous>", function: "Array.map" }, "native-code"],
    [{ filename: "<anonymous>", function: "new Promise", lineno: 0 }, "native-code"],
    [{ abs_path: "https://a/b.js line 3 > eval", lineno: 1 }, "anonymous-code"],
    [{ abs_path: "data:text/javascript,x", lineno: 1 }, "data-url"],
    [{ abs_path: "chrome-extension://abc/x.js", lineno: 1 }, "browser-extension"],
    [{ abs_path: "node:internal/process", lineno: 1 }, "runtime-code"],
    [{ abs_path: "https://a/b.js", lineno: 0 }, "no-line"],
    [{ abs_path: "https://a/b.js" }, "no-line"],
    [{ abs_path: "https://a/b.js", lineno: 1 }, null],
    [{ filename: "/srv/app/server.js", lineno: 1 }, null],
  ])("%j: %s", (frame, reason) => expect(skipReason(frame, "javascript")).toBe(reason));

  test("on Node, names without a path are Node's own", () => {
    expect(skipReason({ abs_path: "events", lineno: 1 }, "node")).toBe("runtime-code");
    expect(skipReason({ abs_path: "events", lineno: 1 }, "javascript")).toBeNull();
  });
});

describe("the URLs that a file may have been uploaded under", () => {
  test.each([
    [
      "https://shop.example/assets/app.js?v=1#top",
      [
        "https://shop.example/assets/app.js?v=1",
        "https://shop.example/assets/app.js",
        "~/assets/app.js?v=1",
        "~/assets/app.js",
      ],
    ],
    ["app:///x.js", ["app:///x.js", "~/x.js"]],
    ["file:///C:/app/x.js", ["file:///C:/app/x.js", "~/C:/app/x.js"]],
    ["C:\\app\\x.js", ["file:///C:/app/x.js", "~/C:/app/x.js"]],
    ["/srv/app/x.js", ["/srv/app/x.js", "~/srv/app/x.js"]],
    ["//cdn.example/x.js", ["https://cdn.example/x.js", "~/x.js"]],
    ["webpack://shop/./src/a.js", ["webpack://shop/./src/a.js", "~/./src/a.js"]],
    ["https://a/b%20c.js", ["https://a/b%20c.js", "~/b%20c.js", "https://a/b c.js", "~/b c.js"]],
    ["https://a/%zz.js", ["https://a/%zz.js", "~/%zz.js"]],
  ])("%s", (path, urls) => expect(candidateUrls(path)).toEqual(urls));
});

test.each([
  ["https://a/assets/app.js?v=1", "app.js.map", "https://a/assets/app.js.map"],
  ["https://a/assets/app.js", "../maps/app.js.map", "https://a/maps/app.js.map"],
  ["https://a/assets/app.js", "../../../../x.map", "https://a/x.map"],
  ["https://a/assets/app.js", "/maps/app.js.map", "https://a/maps/app.js.map"],
  ["https://a/assets/app.js", "~/maps/app.js.map", "https://a/maps/app.js.map"],
  ["https://a/assets/app.js", "//b/app.js.map", "https://b/app.js.map"],
  ["https://a/assets/app.js", "https://c/app.js.map?x=1", "https://c/app.js.map?x=1"],
  ["~/assets/app.js", "app.js.map", "~/assets/app.js.map"],
  ["~/app.js", "/maps/app.js.map", "~/maps/app.js.map"],
  ["app:///x.js", "x.js.map", "app:///x.js.map"],
  ["C:\\app\\x.js", "src\\a.ts", "file:///C:/app/src/a.ts"],
  ["/srv/build/server.js", "../app/entry.ts", "/srv/app/entry.ts"],
])("%s and %s make %s", (base, reference, url) => expect(joinUrl(base, reference)).toBe(url));

test.each([
  ["index-Dk3a9f_2.js", "index.js"],
  ["main.4f0c2d11.chunk.js", "main.chunk.js"],
  ["app.js", null],
  ["shopping-basket.js", null],
])("without its hash, %s is %s", (name, stem) => expect(withoutHash(name)).toBe(stem));

test.each([
  ["webpack://shop/./src/a.js", "./src/a.js", "src/a"],
  ["webpack:///./src/a.js?4f0c", "./src/a.js", "src/a"],
  ["webpack://@acme/shop/./src/a.js", "./src/a.js", "src/a"],
  ["webpack://shop/../node_modules/x/i.js", "../node_modules/x/i.js", "x/i"],
  ["webpack:///webpack/bootstrap", "webpack/bootstrap", "webpack/bootstrap"],
  ["webpack:///~/x/i.js", "~/x/i.js", "x/i"],
  ["../../src/pages/cart.tsx", "src/pages/cart.tsx", "src/pages/cart"],
  ["/./src/a.js", "src/a.js", "src/a"],
  ["/../packages/x/i.js?4f0c", "packages/x/i.js", "packages/x/i"],
  ["@acme/shop/./src/a.js", "src/a.js", "src/a"],
  ["/srv/./a.js", "/srv/./a.js", "srv/./a"],
  ["https://cdn/x/a.min.js", "x/a.min.js", "x/a"],
  ["turbopack:///[project]/app/items/[slug]/page.tsx", "app/items/[slug]/page.tsx", "[project]/app/items/[slug]/page"],
  ["turbopack:///[turbopack]/shared/runtime.ts", "[turbopack]/shared/runtime.ts", "[turbopack]/shared/runtime"],
  ["../../app/items/%5Bslug%5D/page.tsx", "app/items/[slug]/page.tsx", "items/%5Bslug%5D/page"],
  ["../../src/100%/a.js", "src/100%/a.js", "src/100%/a"],
])("of %s, the file is %s and the module %s", (name, filename, module) => {
  expect(describeSource(name, "https://shop.example/assets/app.js")).toMatchObject({ filename, module });
});

test("modules lose what says how they were built", () => {
  expect(moduleOf("static/js/4f0c2d11/app.min.js")).toBe("app");
  expect(moduleOf("js")).toBe("js");
  expect(moduleOf("")).toBeNull();
});
