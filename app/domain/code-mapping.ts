/** Maps the start of a file path in a stack trace to a path in the repository. */
export interface CodeMapping {
  /** The beginning of a frame's path, in whole segments. Empty: any path that is not absolute and not a URL. */
  stackRoot: string;
  /** Its replacement: a folder of the repository, without a slash at either end. Empty: the repository's root. */
  sourceRoot: string;
}

/** Per project. */
export const MAX_CODE_MAPPINGS = 300;
/** The longest root. Characters. */
export const MAX_ROOT_LENGTH = 500;

/** The frame's facts about its file's place; any of them may be odd. */
export interface FramePaths {
  filename?: string;
  abs_path?: string;
}

/** Used for projects without mappings: the path of the frame is the path in the repository. */
const AS_NAMED: readonly CodeMapping[] = [{ stackRoot: "", sourceRoot: "" }];

/**
 * The path in the repository by the first of the mappings that fits, without a slash at either end. Null where none fits,
 * or where it would leave the repository or is in `node_modules`.
 */
export function toRepositoryPath(mappings: readonly CodeMapping[], paths: FramePaths): string | null {
  const found = findCodeMapping(mappings, paths);
  if (found === null) return null;
  const segments = `${found.mapping.sourceRoot}/${found.rest.replace(/[?#].*$/s, "")}`
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const isInside = segments.length > 0 && !segments.includes("..") && !segments.includes("node_modules");
  return isInside ? segments.join("/") : null;
}

/** The first mapping that fits the path, and the rest of the path after the mapping's stack root. */
export function findCodeMapping(
  mappings: readonly CodeMapping[],
  { filename, abs_path }: FramePaths,
): { mapping: CodeMapping; index: number; rest: string } | null {
  const named = [filename, abs_path].flatMap((path) => (path ? [path.replaceAll("\\", "/")] : []));
  const [first] = named;
  const bare = first === undefined ? null : toBarePath(first);
  for (const [index, mapping] of (mappings.length === 0 ? AS_NAMED : mappings).entries()) {
    const root = mapping.stackRoot.replaceAll("\\", "/");
    if (root === "") {
      if (bare !== null) return { mapping, index, rest: bare };
      continue;
    }
    for (const path of bare === null ? named : [...named, bare]) {
      if (isBelow(path, root)) return { mapping, index, rest: path.slice(root.length) };
    }
  }
  return null;
}

/** `/srv/app` is not the root of `/srv/app2/a.ts`. */
function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) && (/[/:]$/.test(root) || path[root.length] === "/");
}

/** The path without the prefixes of bundlers and SDKs. Null: it is a URL, or an absolute path on a machine. */
function toBarePath(path: string): string | null {
  const bare = path
    .replace(/^webpack(?:-internal)?:\/\/[^/]*\//, "")
    .replace(/^(?:app|ng|rsc|vite):\/\/\/?/, "")
    .replace(/^~\//, "")
    .replace(/^(?:\.\.?\/)+/, "");
  return /^(?:[a-z][a-z0-9+.-]*:|\/|<)/i.test(bare) ? null : bare;
}
