import type { Frame } from "./event.ts";

/** Places where package managers and systems put other people's code, in a path of any platform. */
const FOREIGN_PATH =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|\.local[\\/]share|go[\\/]pkg[\\/]mod)[\\/]|^\/usr\/local\/lib\/|^(?:https?:)?\/\/(?:[^/]*\.)?(?:unpkg\.com|cdnjs\.cloudflare\.com|cdnjs\.com|jsdelivr\.net|esm\.run)(?::\d+)?\//;
const FOREIGN_MODULE =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|akka|android|androidx|com\.android|org\.springframework|org\.apache|com\.fasterxml|io\.netty|io\.ktor|io\.opentelemetry|reactor\.core|org\.jboss|org\.postgresql|io\.sentry)\./;
const FOREIGN_RUST_FUNCTION = /^<?(?:std|core|alloc)::|^__rust_/;
const FOREIGN_GO_MODULE = /^runtime(?:\/|$)/;
/** Paths of an installation; `/go/src/app` is where images used to put one's own code. */
const GO_STANDARD_LIBRARY = /\/(?:usr\/local\/go|usr\/lib\/go[^/]*|libexec|go1\.[^/]*)\/src\//;
const FOREIGN_PACKAGE = /^\/(?:usr\/)?lib(?:32|64)?\//;
/** The bundle of an installed app, on a device, in the simulator and on macOS; and what was built in a home folder. */
const OWN_PACKAGE = /\.app\/(?:Contents\/)?|\/Bundle\/Application\/|^\/Users\//;

const JAVA_PLATFORMS = new Set(["java", "kotlin", "scala", "groovy", "clojure"]);
const NATIVE_PLATFORMS = new Set(["native", "cocoa", "objc", "swift", "c", "rust", "other"]);

/** Paths recur from event to event, and the test of one costs more than looking it up. */
const MAX_CACHED_TEXTS = 4_096;
const MAX_CACHED_LENGTH = 512;
const foreignPaths = new Map<string, boolean>();
const foreignModules = new Map<string, boolean>();

/**
 * Whether a frame is the project's own code. The client's word counts, unless a rule knows that the code is from
 * elsewhere (a package folder, a standard library, a CDN) or the frame has a bundler's path, which says it outright.
 * Without a word from the client, an app's own bundle counts as its own, and everything else as not.
 */
export function decideInApp(frame: Frame, eventPlatform: string): boolean {
  const platform = frame.platform ?? eventPlatform;
  const path = frame.abs_path ?? frame.filename;
  if (path !== undefined && isForeignPath(path)) return false;
  if (frame.package !== undefined && NATIVE_PLATFORMS.has(platform) && FOREIGN_PACKAGE.test(frame.package))
    return false;
  if (frame.module !== undefined && JAVA_PLATFORMS.has(platform) && isForeignModule(frame.module)) return false;
  const byPlatform = decideByPlatform(frame, platform, path);
  if (byPlatform !== null) return byPlatform;
  if (typeof frame.in_app === "boolean") return frame.in_app;
  return frame.package !== undefined && NATIVE_PLATFORMS.has(platform) && OWN_PACKAGE.test(frame.package);
}

function decideByPlatform(frame: Frame, platform: string, path: string | undefined): boolean | null {
  switch (platform) {
    case "javascript":
    case "node":
      return path === undefined ? null : decideByBundlerPath(path, frame.filename);
    case "rust":
    case "native":
      return frame.function !== undefined && FOREIGN_RUST_FUNCTION.test(frame.function) ? false : null;
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

/** Whether a package manager, the system or a CDN put the file there, so that it is nobody's own code. */
export function isForeignPath(path: string): boolean {
  return testCached(FOREIGN_PATH, path, foreignPaths);
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
