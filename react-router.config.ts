import type { Config } from "@react-router/dev/config";
import { buildBundles } from "./app/browser-sdk/build-bundles.server.ts";
import { compressAssets } from "./app/server/compress-assets.server.ts";
import { splitManifest } from "./app/server/split-manifest.server.ts";
import { writeBuildCommit } from "./scripts/build-commit.mjs";

export default {
  // The whole map of routes is smaller than the requests that would discover them: one for each address with a parameter.
  routeDiscovery: { mode: "initial" },
  // The router's own check answers a bare 400, logged as a fault, and does not look at resource routes. It lets every origin
  // pass here; the root's middleware refuses other origins on every route, in words (require-own-origin.server.ts).
  allowedActionOrigins: ["**"],
  async buildEnd({ reactRouterConfig }) {
    const clientFolder = `${reactRouterConfig.buildDirectory}/client`;
    await buildBundles(clientFolder);
    await splitManifest(clientFolder);
    await compressAssets(clientFolder);
    writeBuildCommit(import.meta.dirname);
  },
} satisfies Config;
