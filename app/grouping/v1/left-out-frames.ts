import type { Frame } from "../../domain/event.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { asyncMarkOf, cleanJavascriptFunction } from "./clean-javascript-function.ts";
import type { PlatformFamily } from "./platform-family.ts";

/** The reason why a frame never counts, whatever its name is. The tokens are stored; `app/domain/grouping.ts` explains them. */
export type LeftOutReason =
  | "native-code"
  | "evaluated-code"
  | "browser-extension"
  | "async-caller"
  | "runtime-helper"
  | "sdk"
  | "panic-machinery";

/**
 * The built-in rules of protocol 6.3. They are applied to a frame before its names are looked at. `isBrowser` is for what
 * only some browsers report: in a program that always runs in one engine, the callers across an `await` count.
 */
export function leftOutReason(frame: Frame, family: PlatformFamily, isBrowser: boolean): LeftOutReason | null {
  switch (family) {
    case "javascript":
      return leftOutOfJavascript(frame, isBrowser);
    case "java":
      return frame.module === undefined ? null : reasonOfJavaModule(frame.module);
    case "python":
      return frame.module !== undefined && /^(?:sentry_sdk|raven)(?:\.|$)/.test(frame.module) ? "sdk" : null;
    case "csharp":
      return leftOutOfCsharp(frame);
    case "php":
      return frame.function !== undefined && /^\\?Sentry\\(?:State\\|Client|capture|ErrorHandler)/.test(frame.function)
        ? "sdk"
        : null;
    case "ruby":
      return frame.abs_path?.includes("/gems/sentry-") ? "sdk" : null;
    case "go":
      return frame.module?.startsWith("github.com/getsentry/sentry-go") ? "sdk" : null;
    case "dart":
      return leftOutOfDart(frame);
    default:
      return null;
  }
}

/**
 * Index of the first frame that a Rust program runs after the failure: the machinery of a panic with everything above it, or the capture of
 * an error (the SDK, `log`, `backtrace`) at the very end of the stack. The length of the list if there is none. The same crates further out
 * are callers of the program, and count.
 */
export function panicMachineryStart(frames: readonly Frame[]): number {
  for (let i = 0; i < frames.length; i++) {
    const name = frames[i]?.function;
    if (name !== undefined && isPanicEntry(name)) return i;
  }
  let start = frames.length;
  for (let i = frames.length - 1; i >= 0; i--) {
    const name = frames[i]?.function ?? "";
    if (isCapture(name)) start = i;
    else if (!isPassedThrough(name)) break;
  }
  return start;
}

const isPanicEntry = createBoundedCache((name) =>
  /^_?(?:rust_begin_unwind|rust_panic|__rust_start_panic|std::panicking::(?:begin_panic|rust_panic|panic)|core::panicking::|core::(?:result::unwrap|option::(?:expect|unwrap))_failed|core::slice::index::slice_\w+_fail|std::panic::(?:resume_unwind|panic_any))/.test(
    name,
  ),
);

const isCapture = createBoundedCache((name) =>
  /^<?(?:sentry(?:_\w+)?|backtrace|failure|log|tracing(?:_\w+)?|log_panics|anyhow|std::backtrace(?:_rs)?)::/.test(name),
);

const isPassedThrough = createBoundedCache((name) =>
  /^<?(?:std::thread::local::LocalKey|core::ops::function)/.test(name),
);

/**
 * Index of the frame in which an error class constructs itself. V8 leaves these frames out of the stack of an error; SpiderMonkey and
 * JavaScriptCore list them, with those of the parent classes above. The length of the list if there is none.
 */
export function errorConstructorStart(frames: readonly Frame[], errorType: string): number {
  for (let i = frames.length - 1; i >= Math.max(0, frames.length - MAX_CONSTRUCTORS); i--) {
    const name = frames[i]?.function;
    if (name !== undefined && cleanJavascriptFunction(name) === errorType) return i;
  }
  return frames.length;
}

/** A class of errors, and the classes between it and `Error`. */
const MAX_CONSTRUCTORS = 4;

const NATIVE_PLACES = new Set(["[native code]", "native code", "<anonymous>", "native"]);
const PROMISE_INDEX = /^index \d+$/;
const EXTENSION = /^(?:chrome|moz|safari|safari-web|ms-browser|webkit-masked-url)(?:-extension)?:\/\//;

/** Names of functions that languages and wrappers put between callers; those the SDK needs are its own. */
const JAVASCRIPT_HELPERS: ReadonlyMap<string, LeftOutReason> = new Map([
  ["processTicksAndRejections", "runtime-helper"],
  ["runMicrotasks", "runtime-helper"],
  ["queueMicrotask", "runtime-helper"],
  ["runNextTicks", "runtime-helper"],
  ["nextTick", "runtime-helper"],
  ["asyncGeneratorStep", "runtime-helper"],
  ["_asyncToGenerator", "runtime-helper"],
  ["__awaiter", "runtime-helper"],
  ["__generator", "runtime-helper"],
  ["nrWrapper", "runtime-helper"],
  ["sentryWrapped", "sdk"],
]);

const reasonOfJavascriptPath = createBoundedCache((path): LeftOutReason | null => {
  if (NATIVE_PLACES.has(path) || PROMISE_INDEX.test(path)) return "native-code";
  if (path === "eval code") return "evaluated-code";
  if (EXTENSION.test(path)) return "browser-extension";
  if (
    /node_modules\/(?:@babel\/runtime|babel-runtime|core-js|core-js-pure|regenerator-runtime|tslib|@swc\/helpers)\//.test(
      path,
    )
  )
    return "runtime-helper";
  if (/(?:node_modules\/newrelic\/|\/newrelic(?:-browser)?\.js|logrocket|nr-loader-)/i.test(path))
    return "runtime-helper";
  if (/node_modules\/@sentry(?:-internal)?\//.test(path)) return "sdk";
  return null;
});

function leftOutOfJavascript(frame: Frame, isBrowser: boolean): LeftOutReason | null {
  const { abs_path, filename, function: name } = frame;
  const ofPath =
    (abs_path === undefined ? null : reasonOfJavascriptPath(abs_path)) ??
    (filename === undefined || filename === abs_path ? null : reasonOfJavascriptPath(filename));
  if (ofPath !== null || name === undefined) return ofPath;
  if (name === "eval") return "evaluated-code";
  if (isBrowser && asyncMarkOf(name) !== "none") return "async-caller";
  const cleaned = cleanJavascriptFunction(name);
  return cleaned === null ? null : (JAVASCRIPT_HELPERS.get(cleaned) ?? null);
}

const reasonOfJavaModule = createBoundedCache((module): LeftOutReason | null => {
  if (module.startsWith("io.sentry.") && !/^io\.sentry\.(?:samples?|examples?)\./.test(module)) return "sdk";
  // Which of these a call by reflection goes through depends on how often it has happened since the start.
  return /^(?:(?:jdk\.internal|sun|java\.lang)\.reflect\.|java\.lang\.invoke\.)/.test(module) ? "runtime-helper" : null;
});

function leftOutOfCsharp({ module, function: name }: Frame): LeftOutReason | null {
  if (module?.startsWith("Sentry.") || name?.startsWith("Sentry.")) return "sdk";
  return module !== undefined && /^System\.Runtime\.(?:CompilerServices|ExceptionServices)\./.test(module)
    ? "runtime-helper"
    : null;
}

function leftOutOfDart({ abs_path, filename, package: packageName }: Frame): LeftOutReason | null {
  const path = abs_path ?? filename ?? "";
  if (path.startsWith("package:sentry") || packageName?.startsWith("sentry")) return "sdk";
  return path.startsWith("dart:") || path.startsWith("org-dartlang-sdk:") ? "runtime-helper" : null;
}
