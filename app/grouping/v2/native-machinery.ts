import type { Frame } from "../../domain/event.ts";
import { createBoundedCache } from "../v1/bounded-cache.ts";
import type { RuleReason } from "../v1/rules.ts";

/**
 * Why a function of machine code never counts, by its cleaned name. In which functions a thread begins, and through which ones
 * the standard library calls back, changes with the platform's version. A name that anyone might give a function of their own
 * counts as machinery only outside the app.
 */
export function reasonOfNativeFunction(name: string, isInApp: boolean): RuleReason | null {
  if (isInApp && COMMON_WORDS.has(name)) return null;
  return reasonOf(name);
}

const reasonOf = createBoundedCache((name): RuleReason | null => {
  if (THREAD_BASES.has(name)) return "thread-base";
  if (RUN_LOOPS.has(name) || RUN_LOOP.test(name)) return "run-loop";
  return STANDARD_LIBRARY.test(name) ? "runtime-helper" : null;
});

/** Whether a program has failed once it is in this function: all that it calls from there is not the failure. */
export function isAbort(name: string, isInApp: boolean): boolean {
  return ABORTS.has(name) && !(isInApp && COMMON_WORDS.has(name));
}

/** Whether the SDK for C and C++ ran in this frame: by its library, or by its names if it is linked into the program. */
export function isOfSdk({ package: image, function: name }: Frame): boolean {
  return (image !== undefined && SDK_IMAGE.test(image)) || (name?.startsWith("sentry_") ?? false);
}

const SDK_IMAGE = /(?:^|[\\/])(?:libsentry(?:-android)?\.(?:so|dylib)|sentry\.dll)$/i;

const COMMON_WORDS = new Set([
  "start",
  "clone",
  "kill",
  "raise",
  "abort",
  "thread_start",
  "start_thread",
  "invoke_main",
]);

const THREAD_BASES = new Set([
  // Linux and Android
  "_start",
  "__libc_start_main",
  "__libc_start_main_impl",
  "__libc_start_call_main",
  "__libc_init",
  "clone",
  "clone3",
  "__clone",
  "__clone3",
  "start_thread",
  "__start_thread",
  "__pthread_start",
  "_pthread_start",
  // Apple
  "start",
  "_pthread_body",
  "__pthread_body",
  "thread_start",
  "start_wqthread",
  "_pthread_wqthread",
  // Windows
  "RtlUserThreadStart",
  "BaseThreadInitThunk",
  "__scrt_common_main",
  "__scrt_common_main_seh",
  "__tmainCRTStartup",
  "mainCRTStartup",
  "WinMainCRTStartup",
  "wWinMainCRTStartup",
  "invoke_main",
  "_beginthreadex",
  "TppWorkerThread",
  "TppWorkpExecuteCallback",
]);

const RUN_LOOPS = new Set([
  "UIApplicationMain",
  "NSApplicationMain",
  "-[UIApplication _run]",
  "-[NSApplication run]",
  "-[NSRunLoop runMode:beforeDate:]",
  "-[NSRunLoop(NSRunLoop) runMode:beforeDate:]",
  "GSEventRunModal",
  "CFRunLoopRun",
  "CFRunLoopRunSpecific",
  "__CFRunLoopRun",
  "__CFRunLoopDoSource0",
  "__CFRunLoopDoSource1",
  "__CFRunLoopDoSources0",
  "__CFRunLoopDoBlocks",
  "__CFRunLoopDoObservers",
  "__CFRunLoopDoTimer",
  "__CFRunLoopDoTimers",
  "__CFRunLoopServiceMachPort",
  "_dispatch_main_queue_callback_4CF",
  "g_main_loop_run",
  "g_main_context_iteration",
  "g_main_context_dispatch",
  "g_main_dispatch",
  "DispatchMessageW",
  "DispatchMessageWorker",
  "UserCallWinProcCheckWow",
  "android::Looper::pollOnce",
  "android::Looper::pollInner",
]);

const RUN_LOOP =
  /^(?:__CFRUNLOOP_IS_\w+__|_dispatch_(?:worker_thread\w*|root_queue\w*|queue_\w+|lane_\w+|client_callout\w*|call_block_and_release|continuation_pop\w*|workloop_\w+|kevent_\w+|async_redirect_invoke\w*)|_?dispatch_once_f?|_pthread_wqthread_\w+)$/;

/** The insides of the standard libraries of C++ and Rust. */
const STANDARD_LIBRARY = /^(?:std|__gnu_cxx|__cxxabiv1|core|alloc)::/;

const ABORTS = new Set([
  "abort",
  "__abort",
  "abort_message",
  "raise",
  "gsignal",
  "__GI_raise",
  "__GI_abort",
  "kill",
  "__kill",
  "tgkill",
  "pthread_kill",
  "__pthread_kill",
  "__pthread_kill_implementation",
  "__pthread_kill_internal",
  "_sigtramp",
  "__restore_rt",
  "__kernel_rt_sigreturn",
  "__assert",
  "__assert2",
  "__assert_fail",
  "__assert_fail_base",
  "__assert_rtn",
  "_wassert",
  "__chk_fail",
  "__fortify_fail",
  "__fortify_fatal",
  "__stack_chk_fail",
  "__libc_message",
  "std::terminate",
  "std::__terminate",
  "__cxxabiv1::__terminate",
  "demangling_terminate_handler",
  "_objc_terminate",
  "__cxa_throw",
  "__cxa_rethrow",
  "_CxxThrowException",
  "RaiseException",
  "RtlRaiseException",
  "RaiseFailFastException",
  "KiUserExceptionDispatcher",
  "KiUserExceptionDispatch",
  "UnhandledExceptionFilter",
  "objc_exception_throw",
  "__exceptionPreprocess",
  "-[NSException raise]",
  "+[NSException raise:format:]",
  "+[NSException raise:format:arguments:]",
  "swift_unexpectedError",
  "_assertionFailure",
  "_fatalErrorMessage",
  "art::Runtime::Abort",
]);
