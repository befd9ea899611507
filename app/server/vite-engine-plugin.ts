import type { IncomingMessage, ServerResponse } from "node:http";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin, ViteDevServer } from "vite";
import { readConfig, readMemoryBytes } from "../config.server.ts";
import type { DevEngine } from "./dev-engine.server.ts";

/** The files of the engine and its threads. These two files run the engine and are not part of it. */
const ENGINE_FILE =
  /^app\/(domain|protocol|signals|journal|ingest|normalize|scrub|grouping|digest|symbolicate|stores|jobs|outbound|notifications|providers|uptime|metric-monitors|browser-sdk|data-folder|backup|control|server)\/.*(?<!\.(test|contract))\.(ts|sql)$/;
const RUNNER_FILE = /\/(dev-engine\.server|vite-engine-plugin)\.ts$/;
/** How long to wait for more changes: an editor or a checkout may change many files at once. Milliseconds. */
const RESTART_AFTER_MS = 150;

/**
 * Runs the engine inside `react-router dev`: ingest, digest, stores and the context for loaders are those of the real server, on Vite's
 * port. Node itself imports them, so that there is one instance of each, whatever Vite reloads. A change to one of their files restarts the
 * engine, and pages stay open. Vite replaces routes, features and ui at runtime.
 */
export function enginePlugin(): Plugin {
  const config = () =>
    readConfig(process.env, {
      mode: "development",
      isTerminal: process.stdout.isTTY === true,
      workingFolder: process.cwd(),
      memoryBytes: readMemoryBytes(),
    });
  let engine: DevEngine | undefined;
  let restart: ReturnType<typeof setTimeout> | undefined;
  return {
    name: "culprit-engine",
    apply: "serve",
    config({ server: given }, { isPreview }) {
      // React Router's build compiles routes in a server of its own that watches nothing: options would make it watch the checkout.
      if (isPreview || given?.watch === null) return;
      const { server, dataDir } = config();
      return {
        server: {
          // The CLI's own flags come after this and win.
          ...(process.env.PORT?.trim() && { port: server.port, strictPort: true }),
          ...(server.host !== null && { host: server.host }),
          // The stores write all the time.
          watch: { ignored: [`${dataDir}/**`] },
        },
      };
    },
    async configureServer(server: ViteDevServer) {
      engine = await (await importEngine(server.config.root)).acquireDevEngine(config());
      const { announce, handle } = engine;
      server.watcher.on("all", (_, file) => {
        const path = relative(server.config.root, file).replaceAll("\\", "/");
        if (!ENGINE_FILE.test(path) || RUNNER_FILE.test(path)) return;
        clearTimeout(restart);
        restart = setTimeout(() => void engine?.restart(), RESTART_AFTER_MS);
      });
      server.httpServer?.once("listening", () => announce(toUrl(server)));
      server.middlewares.use((req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) =>
        handle(req, res, next),
      );
    },
    async closeBundle() {
      clearTimeout(restart);
      await engine?.release();
      engine = undefined;
    },
  };
}

/** Imports it by Node. Vite's bundling of its configuration would make a second copy of every module. */
function importEngine(root: string): Promise<typeof import("./dev-engine.server.ts")> {
  return import(/* @vite-ignore */ pathToFileURL(`${root}/app/server/dev-engine.server.ts`).href);
}

function toUrl(server: ViteDevServer): string {
  const address = server.httpServer?.address();
  const port = typeof address === "object" && address !== null ? address.port : server.config.server.port;
  return `http://localhost:${port}`;
}
