import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sentryBrowser from "@sentry/browser/package.json" with { type: "json" };
import { build } from "vite";
import { bundleEntry } from "./bundle-exports.ts";
import type { BundleManifest } from "./bundle-manifest.ts";
import { BUNDLES_PATH, bundleName, everyChoice } from "./bundle-name.ts";

/** Vite makes a path of it that no file has. */
const ENTRY = "browser-sdk-entry";

/**
 * Makes the bundles of the pinned `@sentry/browser` that the loader script loads: the package itself holds modules only.
 * Writes them and their manifest below the folder of the built client.
 */
export async function buildBundles(clientFolder: string): Promise<void> {
  const path = `${BUNDLES_PATH}/${sentryBrowser.version}`;
  await mkdir(join(clientFolder, path), { recursive: true });
  const manifest: BundleManifest = { path: `/${path}`, integrity: {} };
  for (const features of everyChoice()) {
    const name = bundleName(features);
    const code = await buildBundle(bundleEntry(features));
    await writeFile(join(clientFolder, path, name), code);
    manifest.integrity[name] = `sha384-${createHash("sha384").update(code).digest("base64")}`;
  }
  await writeFile(join(clientFolder, BUNDLES_PATH, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(clientFolder, path, "LICENSE.txt"), await readLicense());
}

/** One classic script that sets `window.Sentry`. */
async function buildBundle(entry: string): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    envFile: false,
    logLevel: "error",
    define: { __SENTRY_DEBUG__: "false", __DEBUG_BUILD__: "false" },
    plugins: [
      {
        name: "browser-sdk-entry",
        resolveId: (id) => (id.endsWith(ENTRY) ? `\0${ENTRY}` : null),
        load: (id) => (id === `\0${ENTRY}` ? entry : null),
      },
    ],
    build: {
      write: false,
      copyPublicDir: false,
      // What the SDK itself supports.
      target: "es2020",
      lib: { entry: ENTRY, name: "Sentry", formats: ["iife"] },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (!chunk) throw new Error("vite made no bundle of @sentry/browser");
  return `/*! @sentry/browser ${sentryBrowser.version}, MIT: LICENSE.txt beside this file */\n${chunk.code}`;
}

function readLicense(): Promise<string> {
  return readFile(new URL("LICENSE", import.meta.resolve("@sentry/browser/package.json")), "utf8");
}
