import { compileGlob, type Glob } from "../grouping-rules/glob.ts";

/**
 * Compiles a pattern of a CODEOWNERS file, for paths of the repository. With a slash at its start or inside, it begins at the root,
 * otherwise at any depth. A folder means everything below it; `docs/*` means the files directly inside.
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
