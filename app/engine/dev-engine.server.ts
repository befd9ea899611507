import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "../config.server.ts";
import { createLog, registerLog } from "../log.server.ts";
import { findMonitoring } from "../sentry/monitoring.server.ts";
import { openEngine, type RunningEngine } from "./open-engine.server.ts";

/** One user's hold on the engine of this process. */
export interface DevEngine {
  /** Answers requests of machines, and passes others on once pages can be served. */
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  announce(url: string): void;
  /** The last one to let go closes the engine. */
  release(): Promise<void>;
}

let running: Promise<RunningEngine> | undefined;
let holds = 0;

/**
 * Opens the engine, or gives the one that runs: when Vite restarts because its configuration changed, the new server comes
 * before the old one goes.
 */
export async function acquireDevEngine(config: Config): Promise<DevEngine> {
  holds += 1;
  running ??= open(config);
  const engine = await running.catch((error: unknown) => {
    holds -= 1;
    running = undefined;
    throw error;
  });
  let isHeld = true;
  return {
    handle(req, res, next) {
      if (engine.handle(req, res)) return;
      const monitoring = findMonitoring();
      const run = () => void engine.ready.then(() => next(), next);
      if (monitoring && isPageRequest(req)) monitoring.trace(req, res, run);
      else run();
    },
    announce: (url) => void engine.announce(url),
    async release() {
      if (!isHeld) return;
      isHeld = false;
      holds -= 1;
      if (holds > 0) return;
      running = undefined;
      await engine.close();
    },
  };
}

async function open(config: Config): Promise<RunningEngine> {
  const log = createLog(config.log);
  registerLog(log);
  return openEngine(config, { log, loadSdk: () => import("../sentry/sdk.server.ts") });
}

/** Pages and their data, without the modules that Vite serves. */
function isPageRequest({ url = "/" }: IncomingMessage): boolean {
  const path = url.split("?", 1)[0] ?? "/";
  if (/^\/(@|app\/|node_modules\/|live$|api\/)/.test(path)) return false;
  return path.endsWith(".data") || !/\.\w+$/.test(path);
}
