import { describe, expect, test } from "vitest";
import type { Frame, SentryEvent, SentryException } from "../../domain/event.ts";
import { normalizeTestEvent } from "../../normalize/normalize-test-event.ts";
import { groupEventV2 } from "./group-event-v2.ts";

interface Pair {
  what: string;
  one: Record<string, unknown>;
  other: Record<string, unknown>;
}

describe("one issue", () => {
  test.each<Pair>([
    {
      what: "a crash without symbols at one place of an image, wherever that was loaded",
      one: crash([at("/data/app/x/libpay.so", "0x70001c40", "0x70000000")]),
      other: crash([at("/data/app/y/libpay.so", "0x81001c40", "0x81000000")]),
    },
    {
      what: "a crash in copies of one function that the compiler made",
      one: crash([own("shop::pay(int) [clone .isra.0] [clone .cold]")]),
      other: crash([own("shop::pay(int)")]),
    },
    {
      what: "a panic in a closure, by two compilers of Rust",
      one: crash([own("shop::pay::{{closure}}")]),
      other: crash([own("shop::pay::{closure#2}")]),
    },
    {
      what: "a crash in a closure of Swift before which another was written",
      one: crash([own("closure #1 in implicit closure #1 in Cart.total()")]),
      other: crash([own("closure #2 in implicit closure #3 in Cart.total()")]),
    },
    {
      what: "an error in two versions of Ruby, one of which names classes",
      one: ruby([{ function: "total" }, { function: "rescue in open" }]),
      other: ruby([{ function: "total", module: "Cart" }, { function: "rescue in Shop::Cart.open" }]),
    },
    {
      what: "an error of .NET below a method that was compiled at run time",
      one: csharp("object lambda_method12(Closure, object)"),
      other: csharp("object lambda_method5(Closure, object)"),
    },
    {
      what: "an error in a proxy of Java, whose package is numbered",
      one: java([call("jdk.proxy2.$Proxy42", "pay")]),
      other: java([call("jdk.proxy3.$Proxy7", "pay")]),
    },
    {
      what: "a crash that two versions of the SDK looked at, one linked into the program",
      one: crash([own("shop::pay"), named("__restore_rt"), at("/opt/shop/libsentry.so", "0x7001ff6e", "0x70000000")]),
      other: crash([own("shop::pay"), own("sentry__unwind_stack"), own("sentry_unwind_stack")]),
    },
    {
      what: "a crash below other versions of the thread's base",
      one: crash([named("start_wqthread"), named("_pthread_wqthread"), own("shop::pay")]),
      other: crash([named("thread_start"), named("_pthread_start"), named("_pthread_body"), own("shop::pay")]),
    },
    {
      what: "an abort on two versions of a C library",
      one: crash([own("shop::check"), named("abort"), named("raise"), named("gsignal")]),
      other: crash([own("shop::check"), named("__GI_abort"), named("pthread_kill"), named("__pthread_kill_internal")]),
    },
    {
      what: "a callback through other insides of the standard library",
      one: crash([own("shop::run"), own("std::__1::__function::__func<F>::operator()"), own("shop::pay")]),
      other: crash([own("shop::run"), own("std::_Function_handler<void ()>::_M_invoke"), own("shop::pay")]),
    },
    {
      what: "an Android crash through other versions of the run loop",
      one: java([
        call("android.os.Looper", "loop"),
        call("android.app.ActivityThread", "main"),
        call("com.shop.Cart", "pay"),
      ]),
      other: java([
        call("android.os.Looper", "loopOnce"),
        call("android.os.Handler", "dispatchMessage"),
        call("com.shop.Cart", "pay"),
      ]),
    },
    {
      what: "a task of an executor, and of a thread of its own",
      one: java([
        call("java.lang.Thread", "run"),
        call("java.util.concurrent.ThreadPoolExecutor$Worker", "run"),
        call("java.util.concurrent.FutureTask", "run"),
        call("com.shop.Cart", "pay"),
      ]),
      other: java([call("java.lang.Thread", "run"), call("com.shop.Cart", "pay")]),
    },
    {
      what: "helpers of a compiler that are known by their module",
      one: script([helper("core-js/modules/es.array.iterator"), helper("tslib/tslib.es6"), source("pay")]),
      other: script([helper("@babel/runtime/helpers/asyncToGenerator"), source("pay")]),
    },
    {
      what: "a text that was thrown, with another number in it",
      one: caught("order 17 is gone", [library("handleRequest")]),
      other: caught("order 18 is gone", [library("handleRequest")]),
    },
    {
      what: "texts that were reported at one place of the app",
      one: caught("the cart is empty", [library("handleRequest"), source("report")]),
      other: caught("no such cart", [library("handleRequest"), source("report")]),
    },
    {
      what: "React's number with other arguments",
      one: thrown(
        "Error",
        "Minified React error #418; visit https://react.dev/errors/418?args[]=HTML for the full message",
      ),
      other: thrown(
        "Error",
        "Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for the full message",
      ),
    },
    {
      what: "Angular's number with another text",
      one: thrown(
        "Error",
        "NG0100: Expression has changed. Previous value: '1'. Find more at https://angular.dev/errors/NG0100",
      ),
      other: thrown(
        "Error",
        "NG0100: Expression has changed. Previous value: 'two'. Find more at https://v18.angular.dev/errors/NG0100",
      ),
    },
    {
      what: "a lambda and an unnamed namespace of another build with Microsoft's compiler",
      one: crash([own("shop::<lambda_5db8c1a2f0e94d7b8c1a2f0e94d7b123>::operator()"), own("?A0xc3a0617d::read")]),
      other: crash([own("shop::<lambda_00112233445566778899aabbccddeeff>::operator()"), own("?A0x01234567::read")]),
    },
    {
      what: "a chunk of another deploy",
      one: thrown("ChunkLoadError", "Loading chunk 123 failed.\n(error: https://shop.example/123.4f9a.js)", [
        source("f.j"),
      ]),
      other: thrown("ChunkLoadError", "Loading chunk 77 failed.\n(timeout: https://shop.example/77.0011.js)", [
        source("n.e"),
        source("r"),
      ]),
    },
    {
      what: "functions that call each other, once and often",
      one: python("ValueError", ["main", "walk", "visit", "parse"]),
      other: python("ValueError", ["main", "walk", "visit", "walk", "visit", "walk", "visit", "parse"]),
    },
    {
      what: "a full stack, whichever way through the data it took",
      one: python("RecursionError", ["main", ...repeat(["walk", "visit", "each"], 400)]),
      other: python("RecursionError", [
        "main",
        ...repeat(["walk", "each", "each", "visit", "walk"], 300),
        "walk",
        "len",
      ]),
    },
  ])("$what", ({ one, other }) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });
});

describe("two issues", () => {
  test.each<Pair>([
    {
      what: "crashes without symbols in two images",
      one: crash([at("/data/app/x/libpay.so", "0x70001c40", "0x70000000")]),
      other: crash([at("/data/app/x/libvideo.so", "0x70001c40", "0x70000000")]),
    },
    {
      what: "crashes at two places of one image",
      one: crash([at("/data/app/x/libpay.so", "0x70001c40", "0x70000000")]),
      other: crash([at("/data/app/x/libpay.so", "0x70001c80", "0x70000000")]),
    },
    {
      what: "crashes in copies of two functions",
      one: crash([own("shop::check(int) [clone .isra.0]")]),
      other: crash([own("shop::pay(int) [clone .isra.0]")]),
    },
    {
      what: "aborts in two functions",
      one: crash([own("shop::check"), named("abort")]),
      other: crash([own("shop::pay"), named("abort")]),
    },
    {
      what: "tasks of one executor",
      one: java([call("java.util.concurrent.FutureTask", "run"), call("com.shop.Cart", "pay")]),
      other: java([call("java.util.concurrent.FutureTask", "run"), call("com.shop.Cart", "load")]),
    },
    {
      what: "a text and an object that were thrown, and caught by a framework",
      one: caught("the cart is empty", [library("handleRequest")]),
      other: caught("Object captured as exception with keys: code, reason", [library("handleRequest")]),
    },
    {
      what: "two of React's numbers in one stack",
      one: thrown("Error", "Minified React error #425; visit https://react.dev/errors/425", [source("render")]),
      other: thrown("Error", "Minified React error #310; visit https://react.dev/errors/310", [source("render")]),
    },
    {
      what: "two of Vue's",
      one: thrown("Error", "https://vuejs.org/error-reference/#runtime-15", [source("render")]),
      other: thrown("Error", "https://vuejs.org/error-reference/#runtime-1", [source("render")]),
    },
    {
      what: "full stacks with two entries",
      one: python("RecursionError", ["main", ...repeat(["walk", "visit"], 5_000)]),
      other: python("RecursionError", ["import", ...repeat(["walk", "visit"], 5_000)]),
    },
    {
      what: "full stacks of two recursions",
      one: python("RecursionError", ["main", ...repeat(["walk", "visit"], 400)]),
      other: python("RecursionError", ["main", ...repeat(["load", "parse"], 400)]),
    },
    {
      what: "errors in two functions that call each other",
      one: python("ValueError", ["main", "walk", "visit", "walk", "visit"]),
      other: python("ValueError", ["main", "walk", "visit", "walk", "visit", "walk"]),
    },
  ])("$what", ({ one, other }) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });
});

test("the explanation says what counted of machine code, and which rule left a frame out", () => {
  const event = normalizeTestEvent(
    crash([named("_pthread_start"), at("/data/app/x/libpay.so", "0x70001c40", "0x70000000"), named("abort")]),
  );
  const { explanation } = groupEventV2(event);
  expect(explanation.contributions).toEqual([{ kind: "frame", exception: 0, frame: 1, address: "libpay.so+0x1c40" }]);
  const all = groupEventV2(normalizeTestEvent(crash([named("start_thread"), named("CFRunLoopRun"), named("memcpy")])));
  expect(all.explanation.omissions.map(({ reason }) => reason)).toEqual(["thread-base", "run-loop"]);
});

test("version 2 never throws, and gives the same keys for the same event", () => {
  const random = seeded(7);
  for (let round = 0; round < 400; round++) {
    const event = normalizeTestEvent(strangeEvent(random));
    const first = groupEventV2(event);
    expect(first.hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
    expect(groupEventV2(JSON.parse(JSON.stringify(event))).hashes).toEqual(first.hashes);
  }
});

function keyOf(payload: Record<string, unknown>): string {
  return groupEventV2(normalizeTestEvent(structuredClone(payload))).hashes[0] ?? "";
}

function eventOf(platform: string, exception: SentryException): Partial<SentryEvent> & Record<string, unknown> {
  return { platform, exception: { values: [exception] } };
}

function crash(frames: Frame[]) {
  const mechanism = { type: "signalhandler", synthetic: true, handled: false };
  return eventOf("native", { type: "SIGSEGV", value: "Segfault", mechanism, stacktrace: { frames } });
}

function at(image: string, instruction_addr: string, image_addr: string): Frame {
  return { package: image, instruction_addr, image_addr };
}

function named(name: string): Frame {
  return { function: name, package: "/usr/lib/libsystem.dylib" };
}

function own(name: string): Frame {
  return { function: name, package: "/opt/shop/shop" };
}

function java(frames: Frame[]) {
  return eventOf("java", { type: "IllegalStateException", value: "x", stacktrace: { frames } });
}

function call(module: string, name: string): Frame {
  return { module, function: name };
}

function script(frames: Frame[]) {
  return eventOf("javascript", { type: "TypeError", value: "x", stacktrace: { frames } });
}

function helper(module: string): Frame {
  return { module, function: "next", filename: "https://shop.example/a.js", in_app: true };
}

function source(name: string): Frame {
  return { function: name, filename: "https://shop.example/a.js", in_app: true };
}

function library(name: string): Frame {
  return { function: name, filename: "/app/node_modules/framework/server.js", in_app: false };
}

/** What was thrown had no stack: the SDK gives it that of the place at which it was caught. */
function caught(value: string, frames: Frame[]) {
  const mechanism = { type: "generic", handled: false, synthetic: true };
  return eventOf("node", { type: "Error", value, mechanism, stacktrace: { frames } });
}

function thrown(type: string, value: string, frames?: Frame[]) {
  return eventOf("javascript", { type, value, ...(frames === undefined ? {} : { stacktrace: { frames } }) });
}

function python(type: string, names: string[]) {
  const frames = names.map((name) => ({ function: name, module: "shop.tree", in_app: true }));
  return eventOf("python", { type, value: "x", stacktrace: { frames } });
}

function ruby(frames: Frame[]) {
  const own = frames.map((frame) => ({ ...frame, filename: "app/models/cart.rb", in_app: true }));
  return eventOf("ruby", { type: "ArgumentError", value: "x", stacktrace: { frames: own } });
}

function csharp(name: string) {
  const frames = [{ function: name }, { module: "Shop.Cart", function: "Pay", in_app: true }];
  return eventOf("csharp", { type: "System.Exception", value: "x", stacktrace: { frames } });
}

function repeat(names: string[], count: number): string[] {
  return Array.from({ length: count }, () => names).flat();
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function strangeEvent(random: () => number): Record<string, unknown> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const texts = [
    "",
    "abort",
    "std::",
    "<",
    "((((",
    "?A0x",
    "<lambda_",
    "shop::pay(int)",
    "a.b/c<",
    "\ud800",
    "Minified React error #",
    "NG0",
    "_".repeat(900),
    "x ".repeat(2_000),
    "[",
    "aA0".repeat(300),
  ];
  const frame = () => ({
    function: pick([...texts, undefined]),
    module: pick([...texts, undefined]),
    package: pick([...texts, undefined, "/x/lib.so", "C:\\a\\b.dll"]),
    filename: pick([...texts, undefined, "/tmp/x"]),
    instruction_addr: pick([undefined, "0x1", "0xffffffffffffffff", "zz", -1]),
    image_addr: pick([undefined, "0x0", "0x2", "nonsense"]),
    addr_mode: pick([undefined, "rel:0", "rel:99", "abs"]),
    in_app: pick([true, false, undefined]),
    context_line: pick([undefined, ...texts]),
  });
  return {
    platform: pick(["native", "javascript", "java", "python", "csharp", "go", "rust", "other", "nonsense"]),
    exception: {
      values: Array.from({ length: Math.floor(random() * 3) }, () => ({
        type: pick([...texts, "RecursionError", "ChunkLoadError", "RangeError"]),
        value: pick([...texts, "Maximum call stack size exceeded"]),
        mechanism: pick([undefined, { type: "x", synthetic: true, meta: { signal: { name: pick([...texts, 3]) } } }]),
        stacktrace: { frames: Array.from({ length: Math.floor(random() * 12) }, frame) },
      })),
    },
    message: pick(texts),
    debug_meta: {
      images: [{ code_file: pick(texts), image_addr: pick(["0x0", "x", null]), image_size: pick([5, -1, null]) }],
    },
  };
}
