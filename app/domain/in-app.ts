import type { Frame } from "./event.ts";

/** Places where package managers and systems put other people's code, in a path of any platform. */
const FOREIGN_PATH =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|\.local[\\/]share|go[\\/]pkg[\\/]mod|npm[\\/]registry\.npmjs\.org)[\\/]|^\/usr\/local\/lib\/|^(?:https?:)?\/\/(?:[^/]*\.)?(?:unpkg\.com|cdnjs\.cloudflare\.com|cdnjs\.com|jsdelivr\.net|esm\.run|esm\.sh|deno\.land|jsr\.io)(?::\d+)?\//;
/** Packages of Java's platform, frameworks, drivers and logging, as stacks of servers and of Android show them. */
const FOREIGN_MODULES = (
  "java javax jakarta jdk sun com.sun kotlin kotlinx scala akka groovy org.codehaus.groovy clojure android androidx com.android " +
  "org.springframework org.apache org.eclipse org.glassfish org.jboss org.wildfly org.hibernate org.aspectj org.thymeleaf org.quartz " +
  "org.slf4j org.junit org.mockito org.gradle org.postgresql org.mariadb org.h2 org.hsqldb org.sqlite org.mongodb org.flywaydb " +
  "org.reactivestreams oracle.jdbc liquibase reactor rx okhttp3 okio retrofit2 feign ch.qos.logback net.bytebuddy redis.clients " +
  "com.fasterxml com.zaxxer.hikari com.mysql com.microsoft.sqlserver com.mongodb com.rabbitmq com.amazonaws com.google.common " +
  "com.google.gson com.google.inject com.google.protobuf software.amazon.awssdk tools.jackson io.grpc io.ktor io.lettuce " +
  "io.micrometer io.micronaut io.netty io.opentelemetry io.quarkus io.reactivex io.sentry io.smallrye io.undertow io.vertx"
).split(" ");
const FOREIGN_MODULE = new RegExp(`^(?:${FOREIGN_MODULES.join("|").replaceAll(".", "\\.")})\\.`);
/** Classes that Spring, Guice and Hibernate make at run time, named after the class that they wrap. */
const GENERATED_CLASS = /\$\$\w*(?:CGLIB|Guice)\$\$|\$HibernateProxy\$/;
/** The last is what the SDK makes of a line of an `anyhow` backtrace that names only a place. */
const FOREIGN_RUST_FUNCTION = /^<?(?:std|core|alloc)::|^__rust_|^at \/rustc\//;
/** Folders where cargo keeps the sources of crates, and rustc's names for those of the standard library. */
const FOREIGN_RUST_PATH =
  /[\\/]\.?cargo[\\/](?:registry|git)[\\/]|[\\/]registry[\\/]src[\\/][^\\/]+-[0-9a-f]{16}[\\/]|[\\/]rustc[\\/][0-9a-f]{40}[\\/]/;
const FOREIGN_GO_MODULE = /^runtime(?:\/|$)/;
/** Paths of an installation; `/go/src/app` is where images used to put one's own code. */
const GO_STANDARD_LIBRARY = /\/(?:usr\/local\/go|usr\/lib\/go[^/]*|libexec|go1\.[^/]*)\/src\//;
const FOREIGN_PACKAGE = /^\/(?:usr\/)?lib(?:32|64)?\//;

/** Paths of an installed app's bundle, on a device, in the simulator and on macOS; and of builds in a home folder. */
const OWN_PACKAGE = /\.app\/(?:Contents\/)?|\/Bundle\/Application\/|^\/Users\//;
/** Libraries of an operating system by their path, or by their name if a client sends only that. */
const SYSTEM_PACKAGE =
  /^\/(?:System|Library\/Apple|apex|system|system_ext|vendor|product|odm)\/|^\/usr\/libexec\/|\/Xcode[^/]*\.app\/|^[A-Za-z]:\\Windows\\|^(?:linux-gate|linux-vdso|\[vdso\])|^(?:lib[\w.+-]*\.dylib|(?:lib(?:c|m|dl|pthread|rt|gcc_s|stdc\+\+|log|art|android|binder|utils))(?:[-.][\w.]*)?\.so[\d.]*|ld-linux[\w.-]*|linker(?:64)?|(?:ntdll|kernel32|kernelbase|user32|ucrtbase|msvcp\d+\w*|vcruntime\d+\w*)\.dll)$/i;
/** The library of the SDK for C and C++, and the one that ties it to Android's. */
const SDK_PACKAGE = /(?:^|[\\/])(?:libsentry(?:-android)?\.(?:so|dylib)|sentry\.dll)$/i;
/** The name that React Native's SDK uses for code that is built into Hermes. */
const HERMES_PATH = "app:///InternalBytecode.js";
/** Modules that are built into Node, Bun, Deno and Cloudflare's workers. The SDK for workers calls them the app's. */
const RUNTIME_PATH = /^(?:node|node-internal|cloudflare|cloudflare-internal|bun|ext):/;
/** A bare name may be the app's, or one of the hundreds of frameworks of the system. */
const HAS_FOLDER_OR_ENDING = /[\\/]|\.(?:so|dll|exe|dylib)\b/i;
/** Functions of a system, by name alone: for frames whose image is not known. */
const SYSTEM_FUNCTION = /^(?:_|start$|clone3?$|kill$|tgkill$|raise$|gsignal$|abort$|thread_start$|start_thread$|<|\?)/;
/** Paths of standard libraries, packages and the runtime. Such a frame is the project's own only if the client says so. */
const SYSTEM_PATH =
  /^(?:node:|internal\/|native$|\[|<|dart:|package:flutter\/|org-dartlang-sdk:)|[\\/](?:lib[\\/]python\d|lib[\\/]ruby[\\/]|gems[\\/]|rustc[\\/]|\.cargo[\\/]registry[\\/])/;
const SYSTEM_MODULE =
  /^(?:System|Microsoft|MS|Mono|UnityEngine|UnityEditor|Unity|dalvik|libcore|com\.google\.android)\./;

const JAVA_PLATFORMS = new Set(["java", "kotlin", "scala", "groovy", "clojure"]);
const NATIVE_PLATFORMS = new Set(["native", "cocoa", "objc", "swift", "c", "rust", "other"]);
/** Their SDKs say `true` of all frames that no rule of theirs excludes, so that it says nothing about one of them. */
const TRUE_OF_ALL = new Set(["javascript", "go", "rust"]);

/** Their SDKs speak of every frame. Where some have no word beside a `false`, the client left them out on purpose. */
const SPEAKS_OF_ALL = new Set(["javascript", "node"]);

/** Whether the code of a platform runs on the Java virtual machine, or on Android's. */
export function isJavaPlatform(platform: string): boolean {
  return JAVA_PLATFORMS.has(platform);
}

/** Paths recur from event to event, and the test of one costs more than looking it up. */
const MAX_CACHED_TEXTS = 4_096;
const MAX_CACHED_LENGTH = 512;
const foreignPaths = new Map<string, boolean>();
const foreignModules = new Map<string, boolean>();
const rustPaths = new Map<string, boolean>();
const systemPaths = new Map<string, boolean>();
const systemPackages = new Map<string, boolean>();

/** Facts about a frame that come from the other frames of its stack. */
export interface StackWords {
  /** The client calls some frame its own. Then a frame that it says nothing about is foreign. */
  hasTrue: boolean;
  /** The client calls some frame foreign: it told them apart. */
  hasFalse: boolean;
  /** The client says something about each frame. Rust's does if no option names the app's crates: then it calls all crates the app's. */
  isComplete: boolean;
}

/** Frames as the client sent them. */
export function readStackWords(frames: readonly Frame[]): StackWords {
  return {
    hasTrue: frames.some(({ in_app: inApp }) => inApp === true),
    hasFalse: frames.some(({ in_app: inApp }) => inApp === false),
    isComplete: frames.every(({ in_app: inApp }) => typeof inApp === "boolean"),
  };
}

/**
 * Whether a frame is the project's own code. An explicit `true` is kept: people mark their own packages among those of others.
 * Next, a rule may know code from elsewhere (a package folder, a standard library, a CDN), or a bundler's path may say it. If the
 * client marks no frame as its own, code that belongs to no system is the project's own.
 */
export function decideInApp(frame: Frame, eventPlatform: string, words: StackWords): boolean {
  const platform = frame.platform ?? eventPlatform;
  if (platform === "native" && words.isComplete && isUnderRust(frame)) return false;
  if (frame.in_app === true && isMeant(frame, platform, words)) return true;
  const ruled = decideByRule(frame, platform);
  if (ruled !== null) return ruled;
  if (typeof frame.in_app === "boolean") return frame.in_app;
  if (frame.package !== undefined && NATIVE_PLATFORMS.has(platform) && OWN_PACKAGE.test(frame.package)) return true;
  if (words.hasTrue || (words.hasFalse && SPEAKS_OF_ALL.has(platform))) return false;
  return isNamedAndOfNoSystem(frame, platform);
}

/** Like `decideInApp`, for a frame that was mapped to its source: the client's mark was about the generated file. */
export function decideMappedInApp(frame: Frame, eventPlatform: string): boolean {
  return decideByRule(frame, frame.platform ?? eventPlatform) ?? frame.in_app === true;
}

/** Whether a rule calls the frame foreign, whatever the client says. */
export function isForeignByRule(frame: Frame, eventPlatform: string): boolean {
  return decideByRule(frame, frame.platform ?? eventPlatform) === false;
}

function isMeant(frame: Frame, platform: string, { hasFalse, isComplete }: StackWords): boolean {
  if (TRUE_OF_ALL.has(platform)) return false;
  if (platform === "php" && !hasFalse) return false;
  if (JAVA_PLATFORMS.has(platform)) return !isGeneratedClass(frame);
  if (platform !== "native") return true;
  return !isOfRustItself(frame) && !(isComplete && isInForeignRustPath(frame));
}

function isOfRustItself({ function: name }: Frame): boolean {
  return name !== undefined && FOREIGN_RUST_FUNCTION.test(name);
}

/**
 * Below the program: C's `main`, and the end of the stack, which has no address. Libraries of the system stay as the SDK says: what
 * `culprit:2` leaves out of both keys depends on it, so that issues of threads would split.
 */
function isUnderRust({ function: name, abs_path: path, instruction_addr: address }: Frame): boolean {
  return address === "0x0" || (name === "main" && path === undefined);
}

function isGeneratedClass({ module }: Frame): boolean {
  return module !== undefined && GENERATED_CLASS.test(module);
}

function isInForeignRustPath({ abs_path: absPath, filename }: Frame): boolean {
  const path = absPath ?? filename;
  return path !== undefined && testCached(FOREIGN_RUST_PATH, path, rustPaths);
}

/** Null where no rule knows. */
function decideByRule(frame: Frame, platform: string): boolean | null {
  const path = frame.abs_path ?? frame.filename;
  if (path !== undefined && isForeignPath(path)) return false;
  if (frame.package !== undefined && NATIVE_PLATFORMS.has(platform) && FOREIGN_PACKAGE.test(frame.package))
    return false;
  if (JAVA_PLATFORMS.has(platform) && frame.module !== undefined)
    if (isGeneratedClass(frame) || isForeignModule(frame.module)) return false;
  return decideByPlatform(frame, platform, path);
}

function decideByPlatform(frame: Frame, platform: string, path: string | undefined): boolean | null {
  switch (platform) {
    case "javascript":
    case "node":
      if (isOfHermes(frame)) return false;
      if (path === undefined) return null;
      return RUNTIME_PATH.test(path) ? false : decideByBundlerPath(path, frame.filename);
    case "rust":
    case "native":
      return isOfRustItself(frame) || isInForeignRustPath(frame) ? false : null;
    case "go":
      if (frame.module !== undefined && FOREIGN_GO_MODULE.test(frame.module)) return false;
      // Whether a package is of the standard library, the SDK knows best.
      return typeof frame.in_app !== "boolean" && path !== undefined && GO_STANDARD_LIBRARY.test(path) ? false : null;
    default:
      return null;
  }
}

function decideByBundlerPath(path: string, filename: string | undefined): boolean | null {
  if (path.startsWith("app:")) return !path.includes("node_modules/");
  if (!path.startsWith("webpack:") && !path.startsWith("webpack-internal:")) return null;
  const file = (filename ?? path).replace(/^webpack(?:-internal)?:\/\/[^/]*\//, "");
  return file.startsWith("./") && !file.includes("/node_modules/");
}

/** True where a frame has a name or path, and no system is known to have it. */
function isNamedAndOfNoSystem(frame: Frame, platform: string): boolean {
  const { package: image, module, function: name } = frame;
  if (NATIVE_PLATFORMS.has(platform)) {
    if (image !== undefined)
      return HAS_FOLDER_OR_ENDING.test(image) && !testCached(SYSTEM_PACKAGE, image, systemPackages) && !isOfSdk(frame);
    if (name !== undefined && platform !== "other") return !SYSTEM_FUNCTION.test(name);
  }
  const path = frame.abs_path ?? frame.filename;
  if (path !== undefined && testCached(SYSTEM_PATH, path, systemPaths)) return false;
  return module === undefined ? path !== undefined : !SYSTEM_MODULE.test(module);
}

/** Whether a package manager, the system or a CDN put the file there, so that it is nobody's own code. */
export function isForeignPath(path: string): boolean {
  return testCached(FOREIGN_PATH, path, foreignPaths);
}

/** Whether the frame is of what Hermes has built in. */
export function isOfHermes({ abs_path: path, filename }: Frame): boolean {
  return (path ?? filename) === HERMES_PATH;
}

/** Whether the SDK for C and C++ was in this frame. It says of no frame whose it is. */
export function isOfSdk({ package: image }: Frame): boolean {
  return image !== undefined && SDK_PACKAGE.test(image);
}

function isForeignModule(module: string): boolean {
  return testCached(FOREIGN_MODULE, module, foreignModules);
}

function testCached(pattern: RegExp, text: string, cache: Map<string, boolean>): boolean {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const answer = pattern.test(text);
  if (text.length <= MAX_CACHED_LENGTH) {
    if (cache.size >= MAX_CACHED_TEXTS) cache.clear();
    cache.set(text, answer);
  }
  return answer;
}
