import type { Frame } from "../../domain/event.ts";
import { createBoundedCache } from "../v1/bounded-cache.ts";
import { leftOutReason as leftOutReasonV1, panicMachineryStart } from "../v1/left-out-frames.ts";
import type { PlatformFamily } from "../v1/platform-family.ts";
import type { RuleReason } from "../v1/rules.ts";
import { cleanFunction } from "./clean-names.ts";
import { isAbort, isOfSdk, reasonOfNativeFunction } from "./native-machinery.ts";

/** The rules of version 1, plus the machinery of native programs, of the JVM and of run loops, and helpers known by module. */
export function leftOutReason(frame: Frame, family: PlatformFamily, isBrowser: boolean): RuleReason | null {
  return leftOutReasonV1(frame, family, isBrowser) ?? machineryOf(frame, family);
}

function machineryOf(frame: Frame, family: PlatformFamily): RuleReason | null {
  const { module, function: name } = frame;
  switch (family) {
    case "native": {
      const cleaned = name === undefined ? null : cleanFunction(name, family);
      return cleaned === null ? null : reasonOfNativeFunction(cleaned, frame.in_app === true);
    }
    case "javascript":
      return module === undefined ? null : reasonOfJavascriptModule(module);
    case "java":
      return module === undefined || name === undefined ? null : reasonOfJavaCall(module, name);
    case "python":
      return module !== undefined && name !== undefined && PYTHON_LOOPS.get(module)?.has(name) ? "run-loop" : null;
    case "csharp":
      return module === undefined ? null : reasonOfCsharpModule(module);
    case "go":
      return module === "runtime" ? "runtime-helper" : null;
    default:
      return null;
  }
}

/**
 * Index of the first frame that a program runs after it has failed: the panic of a Rust program, `abort`, a signal handler, the throw of an
 * exception that nobody catches, and the SDK that reads the stack. The number of frames if there is none.
 */
export function machineryStart(frames: readonly Frame[], family: PlatformFamily): number {
  if (family !== "native") return frames.length;
  const end = Math.min(panicMachineryStart(frames), sdkStart(frames));
  for (let i = 0; i < end; i++) {
    const frame = frames[i];
    if (frame?.function === undefined) continue;
    const name = cleanFunction(frame.function, family);
    if (name !== null && isAbort(name, frame.in_app === true)) return i;
  }
  return end;
}

/** Index of the first of the innermost frames that are of the SDK for C and C++. A stack of such frames alone counts. */
function sdkStart(frames: readonly Frame[]): number {
  const last = frames.findLastIndex((frame) => !isOfSdk(frame));
  return last < 0 ? frames.length : last + 1;
}

const reasonOfJavascriptModule = createBoundedCache((module): RuleReason | null =>
  /^(?:@babel\/runtime|babel-runtime|core-js|core-js-pure|regenerator-runtime|tslib|@swc\/helpers)(?:[/:]|$)/.test(
    module,
  )
    ? "runtime-helper"
    : null,
);

function reasonOfJavaCall(module: string, name: string): RuleReason | null {
  if (name === "run" && (module === "java.lang.Thread" || module === "java.lang.VirtualThread")) return "thread-base";
  return JAVA_LOOP_FUNCTIONS.has(name) ? reasonOfJavaModule(module) : null;
}

const JAVA_LOOP_FUNCTIONS = new Set([
  "loop",
  "loopOnce",
  "dispatchMessage",
  "handleCallback",
  "handleMessage",
  "main",
  "run",
  "run0",
  "runWith",
  "runSafely",
  "runWorker",
  "runAndReset",
  "executeTask",
  "call",
  "exec",
  "doExec",
  "topLevelExec",
  "runContinuation",
  "resumeWith",
  "safeExecute",
  "runAllTasks",
]);

const reasonOfJavaModule = createBoundedCache((module): RuleReason | null => {
  if (/^com\.android\.internal\.os\.(?:ZygoteInit|RuntimeInit)(?:\$|$)/.test(module)) return "thread-base";
  return /^(?:android\.os\.(?:Looper|Handler|HandlerThread)|android\.app\.ActivityThread(?:\$H)?|java\.util\.concurrent\.(?:ThreadPoolExecutor|ScheduledThreadPoolExecutor|FutureTask|Executors|ForkJoin|CompletableFuture)\b.*|kotlin\.coroutines\.jvm\.internal\.BaseContinuationImpl|kotlinx\.coroutines\.(?:DispatchedTask|EventLoop\w*|internal\.\w+|scheduling\.\w+)(?:\$.*)?|io\.netty\.util\.(?:internal|concurrent)\..*)$/.test(
    module,
  )
    ? "run-loop"
    : null;
});

const PYTHON_LOOPS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["threading", new Set(["_bootstrap", "_bootstrap_inner", "run"])],
  ["concurrent.futures.thread", new Set(["_worker", "run"])],
  ["asyncio.base_events", new Set(["run_until_complete", "run_forever", "_run_once"])],
  ["asyncio.events", new Set(["_run"])],
  ["asyncio.runners", new Set(["run"])],
]);

const reasonOfCsharpModule = createBoundedCache((module): RuleReason | null =>
  CSHARP_THREADS.test(module) ? "run-loop" : null,
);

const CSHARP_THREADS =
  /^System\.Threading\.(?:ExecutionContext|ThreadHelper|Thread|ThreadPoolWorkQueue|PortableThreadPool|_ThreadPoolWaitCallback|Tasks\.(?:Task|ThreadPoolTaskScheduler))\b/;
