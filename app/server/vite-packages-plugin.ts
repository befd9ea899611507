import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The folder below the build folder in which a build lists its packages, a file for each environment. */
export const BUNDLED_PACKAGES = "packages";

/**
 * Lists the packages whose code is in a build, in a file named `name` or after the environment. A release includes their licences
 * (`scripts/pack/collect-notices.ts`).
 */
export function packagesPlugin(name?: string): Plugin {
  return {
    name: "culprit-packages",
    apply: "build",
    writeBundle(_, bundle) {
      const packages = new Set<string>();
      for (const file of Object.values(bundle)) {
        for (const id of file.type === "chunk" ? file.moduleIds : []) {
          const place = toPackagePlace(id);
          if (place !== null) packages.add(place);
        }
      }
      const folder = join(this.environment.config.root, "build", BUNDLED_PACKAGES);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${name ?? this.environment.name}.json`),
        `${JSON.stringify([...packages].sort(), null, 2)}\n`,
      );
    },
  };
}

/** The package of a module, as the lock file names its place: `node_modules/a/node_modules/@b/c`. Null for code of our own. */
export function toPackagePlace(moduleId: string): string | null {
  return /(?:^|[/\0])(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(moduleId)?.[1] ?? null;
}
