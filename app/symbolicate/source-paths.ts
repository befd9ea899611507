import { joinUrl } from "./frame-urls.ts";

export interface SourcePaths {
  absPath: string;
  filename: string;
  module: string | null;
}

/** Leading segments of a path that describe how code was built, not what it is. */
const JUNK_SEGMENT =
  /^(?:_+.*|js|scripts?|static|build|dist|node_modules|lib|app|assets|public|v?\d+(?:\.\d+)*|[0-9a-f]{7,8}|[0-9a-f]{32}|[0-9a-f]{40}|\.{1,2}|~)$/i;

/**
 * Sentry's plugins cut the scheme off what webpack calls a source: `/./src/a.js`, `shop/./src/a.js` with a namespace. No other
 * tool leaves such a segment inside a path.
 */
const CUT_NAMESPACE = /^(?:\/(?=\.{1,2}\/)|[^./][^?#]*?\/(?=\.\/))/;

/** Turbopack's name for the folder of the project, only in maps for browsers. */
const TURBOPACK_ROOT = "[project]/";

/**
 * Paths of a mapped frame: from a source's name in the map and the URL of the generated file. The file is called as in its
 * repository. The module stays close to the name: issues are found by it, and those of earlier events would be lost.
 */
export function describeSource(name: string, generatedUrl: string): SourcePaths {
  const bundler = /^(webpack(?:-internal)?|rspack|turbopack|parcel|vite|rollup|ng):\/\/(.*)$/is.exec(name);
  if (bundler !== null) {
    const filename = bundlerFilename(bundler[2] ?? "");
    const isOfRoot = bundler[1] === "turbopack" && filename.startsWith(TURBOPACK_ROOT);
    return {
      absPath: name,
      filename: isOfRoot ? filename.slice(TURBOPACK_ROOT.length) : filename,
      module: moduleOf(filename),
    };
  }
  const absPath = joinUrl(generatedUrl, name);
  const filename = /^[a-z][a-z0-9+.-]*:\/\//i.test(name)
    ? withoutQuery(name.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\/*/i, ""))
    : withoutQuery(name.replaceAll("\\", "/"))
        .replace(CUT_NAMESPACE, "")
        .replace(/^(?:\.{1,2}\/)+/, "");
  return { absPath, filename: filename === "" ? absPath : decodePath(filename), module: moduleOf(filename) };
}

/** `app/%5Bid%5D/page.tsx` is a URL that some tools make of a path. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The part behind the namespace of `ns/./a.js`, `/./a.js`, `ns/~/x`, `ns/webpack/bootstrap`. */
function bundlerFilename(rest: string): string {
  const path = withoutQuery(rest);
  const slash = path.indexOf("/");
  const behind = slash === -1 ? path : path.slice(slash + 1);
  const marker = /(?:^|\/)((?:\.{1,2}|~)\/.*)$/.exec(behind);
  // A namespace may hold slashes itself (`@scope/name`).
  return marker !== null && !/^(?:\.{1,2}|~)\//.test(behind) ? (marker[1] ?? behind) : behind;
}

function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/s, "");
}

/** Path without host, extension, `.min` and leading folders of builds: `src/pages/cart`. Null when nothing is left. */
export function moduleOf(filename: string): string | null {
  const segments = filename.split("/").filter((segment) => segment !== "");
  while (segments.length > 1 && JUNK_SEGMENT.test(segments[0] as string)) segments.shift();
  const last = segments.pop() ?? "";
  const stem = last
    .replace(/\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|json|coffee|bundle|jsbundle)$/i, "")
    .replace(/\.min$/i, "");
  const module = [...segments, stem].join("/");
  return module === "" ? null : module;
}
