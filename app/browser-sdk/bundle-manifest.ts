import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLES_PATH } from "./bundle-name.ts";

/** What `npm run build` made, in `js-sdk/manifest.json` of the built client. */
export interface BundleManifest {
  /** Below the server's base, like `/js-sdk/10.75.2`. */
  path: string;
  /** Of each bundle by its name, as the `integrity` attribute of a script wants it. */
  integrity: Record<string, string>;
}

/** Null where there is no build, as in development. */
export function readBundleManifest(clientFolder: string): BundleManifest | null {
  try {
    return JSON.parse(readFileSync(join(clientFolder, BUNDLES_PATH, "manifest.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
