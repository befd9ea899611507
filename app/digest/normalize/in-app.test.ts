import { describe, expect, test } from "vitest";
import { decideInApp } from "../../domain/in-app.ts";
import { normalizeTestEvent } from "./normalize-test-event.ts";

describe("code of others, whatever the client says", () => {
  test.each([
    ["node", "/srv/app/node_modules/express/lib/router.js"],
    ["node", "C:\\app\\node_modules\\x\\index.js"],
    ["python", "/app/lib/python3.12/site-packages/django/core.py"],
    ["python", "/usr/lib/python3/dist-packages/x.py"],
    ["php", "/var/www/vendor/symfony/http.php"],
    ["go", "/root/go/pkg/mod/github.com/x/y@v1/z.go"],
    ["ruby", "/usr/local/lib/ruby/gems/x.rb"],
    ["python", "/home/a/.local/share/x.py"],
    ["javascript", "https://unpkg.com/react@19/index.js"],
    ["javascript", "https://cdn.jsdelivr.net/npm/x.js"],
    ["javascript", "node_modules/x/index.js"],
  ])("%s: %s", (platform, abs_path) => {
    expect(decideInApp({ abs_path, in_app: true }, platform)).toBe(false);
  });

  test.each([
    ["java", "java.util.ArrayList"],
    ["java", "org.springframework.web.X"],
    ["kotlin", "kotlinx.coroutines.X"],
    ["java", "io.sentry.Sentry"],
  ])("%s module %s", (platform, module) => {
    expect(decideInApp({ module, in_app: true }, platform)).toBe(false);
  });

  test.each([
    "std::panicking::begin",
    "core::ops::call",
    "<alloc::boxed::Box as X>::call",
    "__rust_begin_short_backtrace",
  ])("rust function %s", (name) => {
    expect(decideInApp({ function: name, in_app: true }, "rust")).toBe(false);
  });

  test.each(["/usr/lib/libc.so", "/lib/x86_64/libc.so.6", "/lib64/ld.so"])("native package %s", (name) => {
    expect(decideInApp({ package: name }, "native")).toBe(false);
  });

  test("the runtime of Go", () => {
    expect(decideInApp({ module: "runtime", in_app: true }, "go")).toBe(false);
    expect(decideInApp({ abs_path: "/usr/local/go/src/net/http/server.go" }, "go")).toBe(false);
  });
});

describe("code of the project", () => {
  test.each([
    ["python", { abs_path: "/app/vendors/x.py" }],
    ["php", { abs_path: "/var/www/vendored.php" }],
    ["java", { module: "javascript.Runner" }],
    ["java", { module: "org.springframeworks.X" }],
    ["python", { module: "java.util" }],
    ["go", { abs_path: "/go/src/app/main.go", module: "main" }],
    ["go", { abs_path: "/usr/local/go/src/net/http/server.go" }],
    ["rust", { function: "stdlib::run" }],
  ])("%s: %j when the client says so", (platform, frame) => {
    expect(decideInApp({ ...frame, in_app: true }, platform)).toBe(true);
  });

  test("what the client calls foreign stays foreign", () => {
    expect(decideInApp({ abs_path: "/app/main.py", in_app: false }, "python")).toBe(false);
    expect(decideInApp({ package: "/Users/me/build/App", in_app: false }, "cocoa")).toBe(false);
  });

  test("an app's bundle is its own when the client says nothing", () => {
    expect(decideInApp({ package: "/private/var/containers/Bundle/Application/X/App.app/App" }, "cocoa")).toBe(true);
    expect(decideInApp({ package: "/Applications/App.app/Contents/MacOS/App" }, "cocoa")).toBe(true);
    expect(decideInApp({ package: "/Users/me/build/App" }, "native")).toBe(true);
  });

  test("everything else is not, when the client says nothing", () => {
    expect(decideInApp({ abs_path: "/app/main.py" }, "python")).toBe(false);
  });
});

describe("paths of bundlers", () => {
  test.each([
    ["webpack:///./src/a.js", undefined, true],
    ["webpack:///./node_modules/x/a.js", undefined, false],
    ["webpack:///webpack/bootstrap", undefined, false],
    ["webpack://app/./src/a.js", "./src/a.js", true],
    ["app:///src/a.js", undefined, true],
    ["app:///node_modules/x/a.js", undefined, false],
  ])("%s", (abs_path, filename, expected) => {
    expect(decideInApp({ abs_path, filename }, "javascript")).toBe(expected);
    expect(decideInApp({ abs_path, filename, in_app: !expected }, "javascript")).toBe(expected);
  });
});

test("a frame's own platform counts, and what the client said is remembered when a rule overrules it", () => {
  const frames = [
    { platform: "java", module: "java.lang.Thread", in_app: true },
    { filename: "node_modules/x.js", in_app: true },
    { filename: "./src/x.js", in_app: true },
  ];
  const event = normalizeTestEvent({ platform: "javascript", stacktrace: { frames } });
  expect(event.stacktrace?.frames.map(({ in_app, data }) => [in_app, data?.orig_in_app])).toEqual([
    [false, true],
    [false, true],
    [true, undefined],
  ]);
});
