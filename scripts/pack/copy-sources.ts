import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { findLoaded } from "./find-loaded.ts";

export interface CopiedSources {
  /** Paths from the root, as they were. */
  files: string[];
  /** Packages that the code imports, without Node's own. */
  packages: Set<string>;
}

/**
 * Copies modules and all that they load from `root` to `target`, TypeScript as JavaScript: Node strips no types below
 * `node_modules`. Types become blanks, so lines and columns of stack traces are those of the sources.
 *
 * @param entries paths from the root
 * @throws when a module that is imported is not there
 */
export function copySources(root: string, target: string, entries: readonly string[]): CopiedSources {
  const found = new Set(entries.map((entry) => resolve(root, entry)));
  const packages = new Set<string>();
  // A loop over a set also visits files that are added meanwhile.
  for (const file of found) {
    const to = join(target, toJavaScript(relative(root, file)));
    mkdirSync(dirname(to), { recursive: true });
    if (!/\.(ts|mjs|js)$/.test(file)) {
      copyFileSync(file, to);
      continue;
    }
    const source = readFileSync(file, "utf8");
    const code = file.endsWith(".ts") ? stripTypeScriptTypes(source, { mode: "strip" }) : source;
    let rewritten = "";
    let at = 0;
    for (const { specifier, start, end } of findLoaded(code)) {
      if (!specifier.startsWith(".")) {
        if (!isBuiltin(specifier)) packages.add(toPackage(specifier));
        continue;
      }
      // A URL may name a folder, or a file that the server makes.
      if (!/\.(ts|mjs|js|json)$/.test(specifier)) continue;
      const loaded = resolve(dirname(file), specifier);
      if (!existsSync(loaded)) throw new Error(`${relative(root, file)} loads ${specifier}, which is not there`);
      found.add(loaded);
      rewritten += code.slice(at, start) + toJavaScript(specifier);
      at = end;
    }
    writeFileSync(to, rewritten + code.slice(at));
  }
  return { files: [...found].map((file) => relative(root, file)), packages };
}

/** `@duckdb/node-api` of `@duckdb/node-api/lib/x`. */
export function toPackage(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function toJavaScript(path: string): string {
  return path.replace(/\.ts$/, ".js");
}
