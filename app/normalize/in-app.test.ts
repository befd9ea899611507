import { describe, expect, test } from "vitest";
import type { Frame } from "../domain/event.ts";
import { decideInApp, decideMappedInApp, readStackWords } from "../domain/in-app.ts";
import { normalizeTestEvent } from "./normalize-test-event.ts";

describe("code of others", () => {
  const paths: Array<[platform: string, path: string]> = [
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
    [
      "javascript",
      "/root/.cache/deno/npm/registry.npmjs.org/@sentry/deno/10.75.2/build/esm/wrap-deno-request-handler.js",
    ],
    ["javascript", "https://jsr.io/@std/fs/1.0.19/walk.ts"],
    ["javascript", "cloudflare-internal:d1-api"],
    ["javascript", "node-internal:streams_readable"],
    ["javascript", "ext:deno_fs/30_fs.js"],
    ["javascript", "node:internal/process/task_queues"],
  ];

  test.each(paths)("%s: %s, unless the client calls it its own", (platform, abs_path) => {
    expect(decide({ abs_path }, platform)).toBe(false);
    expect(decide({ abs_path, in_app: false }, platform)).toBe(false);
    // What follows are SDKs that call everything their own.
    const isWordOfSdk = platform === "javascript" || platform === "go" || platform === "php";
    expect(decide({ abs_path, in_app: true }, platform)).toBe(!isWordOfSdk);
  });

  test("PHP's client tells frames apart once it has called one of them foreign", () => {
    const frame = { abs_path: "/var/www/vendor/shop/cart.php", in_app: true };
    const words = readStackWords([frame, { in_app: false }]);
    expect(decideInApp(frame, "php", words)).toBe(true);
  });

  test("what was said of a bundle says nothing of a source in it", () => {
    expect(decideMappedInApp({ abs_path: "/srv/app/node_modules/x/index.js", in_app: true }, "node")).toBe(false);
    expect(decideMappedInApp({ abs_path: "/srv/app/src/index.ts", in_app: true }, "node")).toBe(true);
    expect(decideMappedInApp({ abs_path: "/srv/app/src/index.ts", in_app: false }, "node")).toBe(false);
  });

  test.each([
    ["java", "java.util.ArrayList"],
    ["java", "org.springframework.web.X"],
    ["kotlin", "kotlinx.coroutines.X"],
    ["java", "io.sentry.Sentry"],
    ["java", "ch.qos.logback.classic.Logger"],
    ["java", "jakarta.servlet.http.HttpServlet"],
    ["java", "org.hibernate.internal.SessionImpl"],
    ["java", "com.zaxxer.hikari.pool.HikariPool"],
    ["kotlin", "okhttp3.internal.connection.RealCall"],
  ])("%s module %s", (platform, module) => {
    expect(decide({ module }, platform)).toBe(false);
    expect(decide({ module, in_app: true }, platform)).toBe(true);
  });

  test.each([
    "std::panicking::begin",
    "core::ops::call",
    "<alloc::boxed::Box as X>::call",
    "__rust_begin_short_backtrace",
  ])("rust function %s", (name) => {
    expect(decide({ function: name, in_app: true }, "rust")).toBe(false);
  });

  test.each([
    "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/axum-0.8.9/src/serve/mod.rs",
    "/usr/local/cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hyper-1.12.0/src/lib.rs",
    "/home/ada/.cargo/git/checkouts/tower-1a2b3c/4d5e6f/src/lib.rs",
    "C:\\Users\\Ada\\.cargo\\registry\\src\\index.crates.io-1949cf8c6b5b557f\\axum-0.8.9\\src\\lib.rs",
    "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/index.rs",
  ])("crate or standard library of Rust at %s, unless options name the app's crates", (abs_path) => {
    const frame = { abs_path, function: "<usize as core::slice::index::SliceIndex<[T]>>::index", in_app: true };
    expect(decide({ ...frame, in_app: undefined }, "native")).toBe(false);
    const ofApp = { abs_path: "/app/src/main.rs", function: "shop::pay", in_app: true };
    expect(decideInApp(frame, "native", readStackWords([frame, ofApp]))).toBe(false);
    expect(decideInApp(ofApp, "native", readStackWords([frame, ofApp]))).toBe(true);
    const named = readStackWords([frame, { ...ofApp, in_app: undefined }]);
    expect(decideInApp(frame, "native", named)).toBe(true);
  });

  test.each([
    "com.shop.Cart$$SpringCGLIB$$0",
    "com.shop.Cart$$EnhancerBySpringCGLIB$$8a1f03c2",
    "com.shop.Cart$HibernateProxy$k3Yx",
  ])("the class %s, which is made at run time, although the client means its package", (module) => {
    expect(decide({ module, in_app: true }, "java")).toBe(false);
    expect(decide({ module: "com.shop.Cart$Line", in_app: true }, "java")).toBe(true);
  });

  test.each<Frame>([
    { function: "main", package: "/app/payments" },
    { function: "<unknown>", instruction_addr: "0x0" },
    { function: "at /rustc/59807616e1fa/library/std/src/panic.rs:359:14" },
  ])("what lies under a program of Rust, whose SDK calls all its own: %j", (frame) => {
    const own = { function: "payments::main", package: "payments", abs_path: "/app/src/main.rs", in_app: true };
    const sent = { ...frame, in_app: true };
    const words = readStackWords([sent, own]);
    expect(decideInApp(sent, "native", words)).toBe(false);
    expect(decideInApp(own, "native", words)).toBe(true);
  });

  test.each(["/usr/lib/libc.so", "/lib/x86_64/libc.so.6", "/lib64/ld.so"])("native package %s", (name) => {
    expect(decide({ package: name }, "native")).toBe(false);
  });

  test("the runtime of Go", () => {
    expect(decide({ module: "runtime", in_app: true }, "go")).toBe(false);
    expect(decide({ abs_path: "/usr/local/go/src/net/http/server.go" }, "go")).toBe(false);
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
    expect(decide({ ...frame, in_app: true }, platform)).toBe(true);
  });

  test("what the client calls foreign stays foreign", () => {
    expect(decide({ abs_path: "/app/main.py", in_app: false }, "python")).toBe(false);
    expect(decide({ package: "/Users/me/build/App", in_app: false }, "cocoa")).toBe(false);
  });

  test("an app's bundle is its own when the client says nothing", () => {
    expect(decide({ package: "/private/var/containers/Bundle/Application/X/App.app/App" }, "cocoa")).toBe(true);
    expect(decide({ package: "/Applications/App.app/Contents/MacOS/App" }, "cocoa")).toBe(true);
    expect(decide({ package: "/Users/me/build/App" }, "native")).toBe(true);
  });

  test.each<[platform: string, frame: Frame, expected: boolean]>([
    ["python", { abs_path: "/app/main.py" }, true],
    ["python", { abs_path: "/root/.pyenv/versions/3.12.1/lib/python3.12/threading.py" }, false],
    ["python", { abs_path: "<frozen importlib._bootstrap>" }, false],
    ["java", { module: "com.shop.Cart" }, true],
    ["java", { module: "dalvik.system.VMStack" }, false],
    ["native", { package: "/opt/shop/bin/shop" }, true],
    ["native", { package: "/data/app/~~x==/com.shop-1/lib/arm64/libpay.so" }, true],
    ["native", { package: "/apex/com.android.runtime/lib64/bionic/libc.so" }, false],
    ["native", { package: "C:\\Windows\\System32\\ntdll.dll" }, false],
    ["native", { package: "C:\\Program Files\\Shop\\pay.dll" }, true],
    ["native", { package: "/opt/shop/lib/libsentry.so" }, false],
    ["native", { package: "/opt/shop/lib/libsentry-pay.so" }, true],
    ["native", { function: "shop::pay" }, true],
    ["native", { function: "__pthread_start" }, false],
    ["cocoa", { package: "UIKitCore" }, false],
    ["node", { abs_path: "node:internal/process" }, false],
    ["csharp", { module: "System.Linq.Enumerable" }, false],
    ["python", { function: "main" }, false],
  ])("%s: %j when the client says nothing of the whole stack: %s", (platform, frame, expected) => {
    expect(decide(frame, platform)).toBe(expected);
  });

  test("what the client passes over is not, when it calls another frame its own", () => {
    const frame = { module: "com.zaxxer.hikari.Pool" };
    const words = readStackWords([frame, { module: "com.shop.Cart", in_app: true }]);
    expect(decideInApp(frame, "java", words)).toBe(false);
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
    ["app:///InternalBytecode.js", undefined, false],
  ])("%s", (abs_path, filename, expected) => {
    expect(decide({ abs_path, filename }, "javascript")).toBe(expected);
    expect(decide({ abs_path, filename, in_app: !expected }, "javascript")).toBe(expected);
  });
});

test("a frame's own platform counts, and what the client said is remembered when a rule overrules it", () => {
  const frames = [
    { platform: "go", module: "runtime", in_app: true },
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

/** Of a stack of this one frame. */
function decide(frame: Frame, platform: string): boolean {
  return decideInApp(frame, platform, readStackWords([frame]));
}
