import type { IncomingMessage, ServerResponse } from "node:http";
import { type ResolveHookSync, registerHooks } from "node:module";
import type { Config } from "../config.server.ts";
import { createLog, type Log, registerLog } from "../log.server.ts";
import { findMonitoring } from "../sentry/monitoring.server.ts";
import type { RunningEngine } from "./open-engine.server.ts";

/** One user's handle on the engine of this process. */
export interface DevEngine {
  /** Answers requests of machines, and passes others on once pages can be served. Waits while the engine restarts. */
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  announce(url: string): void;
  /**
   * Replaces the engine by one of the code on disk. If the code cannot be loaded, the old engine stays. If the new engine cannot be opened,
   * each request fails until the next restart. Both cases are logged.
   */
  restart(): Promise<void>;
  /** The last one to let go closes the engine. */
  release(): Promise<void>;
}

let running: Promise<RunningEngine> | undefined;
let holds = 0;
let url: string | undefined;
/** The number of times that the code of the engine was loaded again. */
let generation = 0;
/** Answers that last as long as the engine. */
const streams = new Set<ServerResponse>();

/**
 * Opens the engine, or returns the running one: when Vite restarts because its configuration changed, the new server starts before the old
 * one ends.
 */
export async function acquireDevEngine(config: Config): Promise<DevEngine> {
  const log = createLog(config.log);
  holds += 1;
  running ??= open(config, log, importEngine());
  await running.catch((error: unknown) => {
    holds -= 1;
    running = undefined;
    throw error;
  });
  let isHeld = true;
  return {
    handle(req, res, next) {
      if (!running) return next(new Error("the engine is closed"));
      running.then((engine) => pass(engine, req, res, next)).catch(next);
    },
    announce(reachedAt) {
      url = reachedAt;
      void running?.then((engine) => engine.announce(reachedAt));
    },
    async restart() {
      const startedAt = performance.now();
      generation += 1;
      try {
        const module = await importEngine();
        const before = running;
        running = closeQuietly(before, log).then(() => open(config, log, module));
        const engine = await running;
        await engine.ready;
      } catch (err) {
        log.error({ err }, "the edited engine does not start");
        return;
      }
      log.info({ ms: Math.round(performance.now() - startedAt) }, "the engine runs again, with the edited code");
    },
    async release() {
      if (!isHeld) return;
      isHeld = false;
      holds -= 1;
      if (holds > 0) return;
      const last = running;
      running = undefined;
      await closeQuietly(last, log);
    },
  };
}

/** Node caches loaded modules, so each generation has other URLs. Threads of the engine load their code themselves. */
function importEngine(): Promise<typeof import("./open-engine.server.ts")> {
  if (generation === 0) return import("./open-engine.server.ts");
  if (generation === 1) registerHooks({ resolve: resolveInGeneration });
  return import(/* @vite-ignore */ new URL(`./open-engine.server.ts?generation=${generation}`, import.meta.url).href);
}

/** Our modules that a module of a generation imports are of that generation. */
const resolveInGeneration: ResolveHookSync = (specifier, context, nextResolve) => {
  const resolved = nextResolve(specifier, context);
  const [query] = /\?generation=\d+$/.exec(context.parentURL ?? "") ?? [];
  const isOurs = query !== undefined && resolved.url.endsWith(".ts") && !resolved.url.includes("/node_modules/");
  return isOurs ? { ...resolved, url: resolved.url + query } : resolved;
};

async function open(
  config: Config,
  log: Log,
  module: Awaited<ReturnType<typeof importEngine>> | ReturnType<typeof importEngine>,
): Promise<RunningEngine> {
  registerLog(log);
  const { openEngine } = await module;
  const engine = await openEngine(config, { log, loadSdk: () => import("../sentry/sdk.server.ts") });
  if (url !== undefined) void engine.announce(url);
  return engine;
}

/**
 * Closes the engine. An engine that did not open needs no closing, and a failure to close must not prevent the next engine from opening.
 */
async function closeQuietly(engine: Promise<RunningEngine> | undefined, log: Log): Promise<void> {
  for (const stream of streams) stream.destroy();
  await engine?.then((opened) => opened.close()).catch((err: unknown) => log.warn({ err }, "the engine closed badly"));
}

function pass(engine: RunningEngine, req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void {
  if (engine.handle(req, res)) return;
  if (/^\/(live|logs\/tail)(\?|$)/.test(req.url ?? "")) {
    streams.add(res);
    res.once("close", () => streams.delete(res));
  }
  const monitoring = findMonitoring();
  const run = () => void engine.ready.then(() => next(), next);
  if (monitoring && isPageRequest(req)) monitoring.trace(req, res, run);
  else run();
}

/** Pages and their data, without the modules that Vite serves. */
function isPageRequest({ url = "/" }: IncomingMessage): boolean {
  const path = url.split("?", 1)[0] ?? "/";
  if (/^\/(@|app\/|node_modules\/|live$|logs\/tail$|api\/)/.test(path)) return false;
  return path.endsWith(".data") || !/\.\w+$/.test(path);
}
