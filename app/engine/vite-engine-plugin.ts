import type { IncomingMessage, ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import type { Plugin, ViteDevServer } from "vite";
import { readConfig } from "../config.server.ts";
import type { DevEngine } from "./dev-engine.server.ts";

/**
 * Runs the engine inside `react-router dev`: ingest, digest, stores and the context for loaders are the ones of the real
 * server, on Vite's port. They are imported by Node itself, so that there is one instance of each, whatever Vite reloads.
 * A change to them needs a restart of `npm run dev`; everything under routes, features and ui is replaced while it runs.
 */
export function enginePlugin(): Plugin {
  const config = () =>
    readConfig(process.env, {
      mode: "development",
      isTerminal: process.stdout.isTTY === true,
      workingFolder: process.cwd(),
    });
  let engine: DevEngine | undefined;
  return {
    name: "culprit-engine",
    apply: "serve",
    config(_, { isPreview }) {
      if (isPreview) return;
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
      server.httpServer?.once("listening", () => announce(toUrl(server)));
      server.middlewares.use((req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) =>
        handle(req, res, next),
      );
    },
    async closeBundle() {
      await engine?.release();
      engine = undefined;
    },
  };
}

/** Not through Vite's bundling of its configuration, which would make a second copy of everything imported. */
function importEngine(root: string): Promise<typeof import("./dev-engine.server.ts")> {
  return import(/* @vite-ignore */ pathToFileURL(`${root}/app/engine/dev-engine.server.ts`).href);
}

function toUrl(server: ViteDevServer): string {
  const address = server.httpServer?.address();
  const port = typeof address === "object" && address !== null ? address.port : server.config.server.port;
  return `http://localhost:${port}`;
}
