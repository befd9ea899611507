import type { Frame } from "../domain/event.ts";
import type { SkipReason } from "../domain/symbolication.ts";

/** Longer file names are not compared without their hash. */
const MAX_HASHED_NAME_CHARACTERS = 200;

/** The address of a frame's file without what engines and SDKs put in front of it. */
export function cleanPath(path: string): string {
  return path.trim().replace(/^(?:(?:async|address|at)\s+)+/, "");
}

/** The path of a frame's file: `abs_path`, or its replacement. Null: none. */
export function pathOfFrame(frame: Frame): string | null {
  const path = cleanPath(frame.abs_path ?? frame.filename ?? "");
  return path === "" ? null : path;
}

/** Why no map is looked for; null: one is. */
export function skipReason(frame: Frame, platform: string): SkipReason | null {
  const path = pathOfFrame(frame);
  if (path === null) return "no-path";
  if (/^(?:native|\[native code\]|native code|<native>|InternalBytecode\.js)$/.test(path)) return "native-code";
  // `at Array.map (<anonymous>)`: only evaluated code has line numbers.
  if (path === "<anonymous>" && !isLine(frame.lineno)) return "native-code";
  if (/^<[^>]*>$|^(?:anonymous|eval code|\[eval\]|\[stdin\]|evalmachine\.<anonymous>)$/.test(path))
    return "anonymous-code";
  if (/^eval at | line \d+ > (?:eval|Function)/.test(path)) return "anonymous-code";
  if (path.startsWith("data:")) return "data-url";
  if (/^(?:[a-z-]+-extension|safari-web-extension|chrome|resource|moz-extension):\/\//i.test(path))
    return "browser-extension";
  if (/^node:/.test(path) || (platform === "node" && !/[/\\.]/.test(path))) return "runtime-code";
  if (path.startsWith("wasm:") || /\.wasm(?::|$)/.test(path)) return "webassembly";
  if (!isLine(frame.lineno)) return "no-line";
  return null;
}

function isLine(lineno: number | undefined): boolean {
  return lineno !== undefined && lineno >= 1;
}

/** The path as a URL. Windows paths and plain paths become `file:` URLs. The fragment is removed. */
function toUrl(path: string): string {
  const withSlashes = path.replaceAll("\\", "/");
  const withScheme = /^[a-zA-Z]:\//.test(withSlashes)
    ? `file:///${withSlashes}`
    : withSlashes.startsWith("//")
      ? `https:${withSlashes}`
      : withSlashes;
  return withScheme.replace(/#.*$/s, "");
}

/** Path and query behind scheme and host; of `app:///x.js` it is `/x.js`. */
function pathOf(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*(.*)$/is.exec(url);
  const path = match === null ? url.replace(/^[a-z][a-z0-9+.-]*:/i, "") : (match[1] ?? "");
  return path.startsWith("/") ? path : `/${path}`;
}

/**
 * The URLs under which a file may have been uploaded for a release, likeliest first: whole, without query, and both
 * with `~` for scheme and host. A percent-encoded path is tried decoded as well.
 */
export function candidateUrls(path: string): string[] {
  const url = toUrl(path);
  const withoutQuery = url.replace(/\?.*$/s, "");
  const tilde = (each: string): string => (each.startsWith("~") ? each : `~${pathOf(each)}`);
  const candidates = [url, withoutQuery, tilde(url), tilde(withoutQuery)];
  const decoded = tryDecode(withoutQuery);
  if (decoded !== null && decoded !== withoutQuery) candidates.push(decoded, tilde(decoded));
  return [...new Set(candidates)];
}

function tryDecode(text: string): string | null {
  try {
    return decodeURI(text);
  } catch {
    return null;
  }
}

/**
 * The URL that a reference (of a `sourceMappingURL`, or a source of a map) means, seen from a file. `~/…` and `/…` are
 * paths on the same host.
 */
export function joinUrl(base: string, reference: string): string {
  const target = reference.replaceAll("\\", "/").replace(/#.*$/s, "");
  if (/^[a-z][a-z0-9+.-]+:/i.test(target)) return target;
  if (/^[a-zA-Z]:\//.test(target)) return `file:///${target}`;
  const baseUrl = toUrl(base).replace(/\?.*$/s, "");
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|~)/i.exec(baseUrl)?.[0] ?? "";
  if (target.startsWith("//")) return `${/^[a-z][a-z0-9+.-]*:/i.exec(baseUrl)?.[0] ?? "https:"}${target}`;
  if (target.startsWith("~/")) return host === "" ? target : `${host}${target.slice(1)}`;
  if (target.startsWith("/")) return `${host}${target}`;
  const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  const folder = baseUrl.slice(host.length).replace(/[^/]*$/, "");
  return `${host}${removeDots(`${folder}${path}`)}${query}`;
}

/** `a/./b/../c` → `a/c`; what leads above the root stops there. */
function removeDots(path: string): string {
  const isAbsolute = path.startsWith("/");
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment === ".." && (isAbsolute || (kept.length > 0 && kept.at(-1) !== ".."))) kept.pop();
    else kept.push(segment);
  }
  return `${isAbsolute ? "/" : ""}${kept.join("/")}`;
}

/** The last part of a URL or path, without query. */
export function fileNameOf(url: string): string {
  return (
    url
      .replace(/[?#].*$/s, "")
      .split(/[/\\]/)
      .at(-1) ?? ""
  );
}

/**
 * A file's name without what bundlers make of its content: `index-Dk3a9f_2.js` and `index.4f0c2d11.js` → `index.js`.
 * Null when there is no such part.
 */
export function withoutHash(fileName: string): string | null {
  if (fileName.length > MAX_HASHED_NAME_CHARACTERS) return null;
  const match = /^(.+?)[-._~]([A-Za-z0-9_-]{6,40})((?:\.[a-z]+)+)$/.exec(fileName);
  if (match === null) return null;
  const [, stem = "", hash = "", extensions = ""] = match;
  // A word of letters of one case is a name.
  return /\d|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(hash) ? `${stem}${extensions}` : null;
}
