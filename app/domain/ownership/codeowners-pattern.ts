import { compileGlob, type Glob } from "../grouping-rules/glob.ts";

/**
 * A pattern of a CODEOWNERS file, for paths of the repository: with a slash at its beginning or within it, it counts from the root,
 * else at any depth. A folder means all that is below it; `docs/*` means the files right in it.
 */
export function compileCodeownersPattern(pattern: string): Glob[] {
  const isFolder = pattern.endsWith("/");
  const bare = pattern.replace(/^\/+/, "").replace(/\/+$/, "");
  if (bare === "") return [compileGlob("**", { isPath: true })];
  const isAnchored = pattern.startsWith("/") || bare.includes("/");
  const full = isAnchored ? bare : `**/${bare}`;
  const below = compileGlob(`${full}/**`, { isPath: true });
  if (isFolder) return [below];
  const exact = compileGlob(full, { isPath: true });
  return /(?:^|\/)\*$/.test(bare) && isAnchored ? [exact] : [exact, below];
}
