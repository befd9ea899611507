import type { Config } from "@react-router/dev/config";
import { compressAssets } from "./app/engine/compress-assets.server.ts";

export default {
  // The whole map of a few dozen routes is smaller than the requests that would discover them one by one.
  routeDiscovery: { mode: "initial" },
  async buildEnd({ reactRouterConfig }) {
    await compressAssets(`${reactRouterConfig.buildDirectory}/client`);
  },
} satisfies Config;
