import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { isatty } from "node:tty";
import { ConfigError, readConfig, readMemoryBytes } from "./app/config.server.ts";
import { DataFolderError } from "./app/domain/data-folder.ts";
import { createLog, registerLog } from "./app/log.server.ts";
import { findMonitoring } from "./app/sentry/monitoring.server.ts";
import { fitConnections, readOpenFileLimit } from "./app/server/connection-limit.server.ts";
import { createHttpServer } from "./app/server/http-server.server.ts";
import { findInheritedSocket } from "./app/server/inherited-socket.server.ts";
import { openEngine } from "./app/server/open-engine.server.ts";
import type { PageBuild, PageHandler } from "./app/server/page-handler.server.ts";
import { explainStartFailure } from "./app/server/start-failure.server.ts";
import { createStaticFiles } from "./app/server/static-files.server.ts";
import { toSourceStack } from "./app/source-stack.server.ts";

/** How long running requests may take to finish. Less if the digest took long; the whole stop stays below 10 s. Milliseconds. */
const FINISH_REQUESTS_MS = 5_000;
const FINISH_ALL_REQUESTS_WITHIN_MS = 8_500;
const STOP_WITHIN_MS = 9_500;
const IMPATIENT_AFTER_MS = 1_000;
/** `EX_CONFIG` of sysexits.h: starting again does not help. systemd's `RestartPreventExitStatus` can name it. */
const EXIT_DATA_FOLDER = 78;

// Composes the parts in the order in which they are needed: events are accepted first, pages come after.
const config = readConfigOrExit();
const log = createLog(config.log);
registerLog(log);

const serverBuildFile = join(import.meta.dirname, "build", "server", "index.js");
const loadBuild = (): Promise<PageBuild> => import(serverBuildFile);
const loadSdk = async () => (await loadBuild()).entry.module.loadSdk();

const clientFolder = join(import.meta.dirname, "build", "client");
const engine = await openEngine(config, { log, loadSdk, clientFolder }).catch((error: unknown) => {
  endBecause(error, "the server cannot start");
});
const serveStatic = createStaticFiles(clientFolder);
const whenPagesReady = Promise.withResolvers<PageHandler>();
let pages: PageHandler | undefined;

/** Facts for senders of OpenTelemetry, in a place where operators look. */
const OTLP = "/v1/traces, /v1/logs and /v1/metrics, over HTTP only: there is no gRPC, and nothing on port 4317";
let hasSaidHttp2 = false;
const openFiles = readOpenFileLimit();
const maxConnections = fitConnections(config.server.maxConnections, openFiles);
if (maxConnections < config.server.maxConnections)
  log.warn(
    { wanted: config.server.maxConnections, maxConnections, openFiles },
    "this process may have too few files open for MAX_CONNECTIONS: fewer connections are taken. Raise the limit (LimitNOFILE, ulimit -n)",
  );
const server = createHttpServer(
  (req, res) => {
    if (engine.handle(req, res) || serveStatic(req, res)) return;
    if (pages) pages.handle(req, res);
    // Requests that come before the pages are ready wait for them.
    else whenPagesReady.promise.then((ready) => ready.handle(req, res));
  },
  {
    maxConnections,
    onBroken(reason) {
      engine.metrics.refused(reason, 1);
      if (reason === "http2" && !hasSaidHttp2)
        log.warn({ otlp: OTLP }, "something speaks HTTP/2, as gRPC does: it is refused");
      hasSaidHttp2 ||= reason === "http2";
    },
    onClosedAtLimit: (reason) => engine.metrics.connectionClosedAtLimit(reason),
  },
);
engine.metrics.watch({ connections: server.openConnections });
const port = await listen().catch((error: unknown) => {
  endBecause(error, "the server cannot listen");
});
const url = config.server.publicUrl ?? `http://localhost:${port}`;
log.info({ url, port, otlp: OTLP, ...engine.build, ms: Math.round(performance.now()) }, "accepting events");
await engine.announce(url);

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
// A closed terminal ends the programs in it. A daemon continues: there is no configuration to read again, and Node undoes the effect of
// nohup.
const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
process.on("SIGHUP", (signal) => {
  if (!hasTerminal) {
    log.info({ signal }, "the server goes on: settings are read at the start, so restart it after a change");
    return;
  }
  // Lines that the terminal does not take any more are lost, and must not end the stop.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  stop(signal);
});
process.on("uncaughtException", (error, origin) => {
  // An error in the path of events may be caused by our own event: reporting it by another event could go on for ever.
  const isOfEvents = /\/app\/(ingest|journal|digest|stores)\//.test(toSourceStack(String(error?.stack)));
  const monitoring = isOfEvents ? null : findMonitoring();
  monitoring?.capture(error, origin);
  if (origin === "unhandledRejection") {
    // Our code did not wait for a promise: that is a bug, but no reason to stop accepting events.
    log.error({ err: error }, "a promise failed, and nobody was waiting for it");
    return;
  }
  log.error({ err: error }, "an error that nobody caught ends the process");
  Promise.resolve(monitoring?.close(1_000)).finally(() => process.exit(1));
});

try {
  pages = await loadPages();
  whenPagesReady.resolve(pages);
  log.info({ url, ms: Math.round(performance.now()) }, "ready");
  // With NODE_COMPILE_CACHE, as scripts/start.ts sets it, the next start takes a third of the time and 30 MB less.
  flushCompileCache();
} catch (error) {
  const isUnbuilt = !existsSync(serverBuildFile);
  endBecause(error, isUnbuilt ? "there is no build of the pages: run `npm run build`" : "the pages cannot be served");
}

function endBecause(error: unknown, message: string): never {
  if (error instanceof DataFolderError) {
    log.error({ dataDir: config.dataDir }, error.message);
    process.exit(EXIT_DATA_FOLDER);
  }
  const explained = explainStartFailure(error, config.server);
  if (explained === null) log.error({ err: error }, message);
  else log.error(explained);
  process.exit(1);
}

async function listen(): Promise<number> {
  const fd = findInheritedSocket(process.env, process.pid);
  return server.listen(fd === null ? config.server : { fd });
}

async function loadPages(): Promise<PageHandler> {
  // One after the other: the process has one thread, and events arrive meanwhile.
  const { createPageHandler } = await import("./app/server/page-handler.server.ts");
  const build = await loadBuild();
  await engine.ready;
  const { publicUrl, trustProxy } = config.server;
  const proxySignIn = config.signIn.byProxy;
  return createPageHandler(build, { publicUrl, trustProxy, proxySignIn, metrics: engine.metrics, log });
}

let stoppingSince: number | undefined;

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stoppingSince !== undefined) {
    // One Ctrl-C arrives twice: from the terminal, and passed on by npm. A person who presses it again later does not want to wait.
    if (performance.now() - stoppingSince > IMPATIENT_AFTER_MS) process.exit(1);
    return;
  }
  stoppingSince = performance.now();
  log.info({ signal }, "stopping");
  setTimeout(() => {
    log.error("stopping took too long; what was accepted is on disk");
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  server.askToReconnect();
  // The longest part of a stop. Events are accepted and pages served meanwhile, so the server is only unreachable after it.
  await engine.endWork();
  const workMs = performance.now() - stoppingSince;
  await server.close({
    timeoutMs: Math.min(FINISH_REQUESTS_MS, Math.max(0, FINISH_ALL_REQUESTS_WITHIN_MS - workMs)),
    endStreams: () => pages?.endStreams(),
  });
  const requestsMs = performance.now() - stoppingSince - workMs;
  await engine.close();
  const storesMs = performance.now() - stoppingSince - workMs - requestsMs;
  log.info(
    { workMs: Math.round(workMs), requestsMs: Math.round(requestsMs), storesMs: Math.round(storesMs) },
    "stopped",
  );
  process.exit(0);
}

function readConfigOrExit() {
  try {
    return readConfig(process.env, {
      mode: "production",
      isTerminal: process.stdout.isTTY === true,
      workingFolder: process.cwd(),
      memoryBytes: readMemoryBytes(),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
