import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { SERVER_FILE, START_ARGS, START_ENV } from "../../scripts/start.ts";

const root = resolve(import.meta.dirname, "../..");
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const LOG_TIMEOUT_MS = 120_000;

/** A real server in a process of its own, with real stores in a folder of its own. */
export interface TestServer {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Of the first project; null when the server was started without being set up. */
  dsn: string | null;
  /** Bearer token for the web API. */
  token: string;
  dataDir: string;
  pid: number;
  /** The owner, for signing in. */
  owner: { email: string; password: string };
  /** What the set-up page asks for, as the server logs it while nobody has set it up. */
  setUpCode(): Promise<string>;
  /** Every line that the server has logged. */
  logLines(): readonly LogLine[];
  /** Requests for pages and their data that the server has answered since the start, as it saw them; not those of machines. */
  pageRequests(): Promise<PageRequest[]>;
  /** Resolves with the first line, past ones included, that the function accepts. */
  waitForLog(accepts: (line: LogLine) => boolean, timeoutMs?: number): Promise<LogLine>;
  /** SIGTERM; resolves with the exit code. The data folder goes, unless it was given. */
  stop(): Promise<number | null>;
  /** SIGHUP. */
  hangUp(): void;
  /** SIGKILL, as a power cut; the data folder stays. */
  kill9(): Promise<void>;
  /** For a server that nothing more is asked of: it is killed, because a stop costs an eighth of a start. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface PageRequest {
  method: string;
  /** Path and query. */
  url: string;
  status: number;
}

export interface LogLine {
  level: number;
  msg: string;
  [key: string]: unknown;
}

export interface TestServerOptions {
  /** Added to the environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** To start on the data of an earlier server. */
  dataDir?: string;
  port?: number;
  /** Slug of the first project; null starts a server that nobody has set up. */
  project?: string | null;
  /**
   * Whether it reports its own faults to its project `culprit`, as a server does by default; false if not given. Loading the SDK is a tenth
   * of a start (decision 090). `SENTRY_DSN` in `env` wins.
   */
  watchesItself?: boolean;
  /** Whether hashes of passwords take as long as they do elsewhere; false if not given. */
  hasSlowPasswords?: boolean;
  /** When it counts as started: events are accepted, or pages are served, too (the default). */
  waitFor?: "events" | "pages";
  /** Told of the process as soon as it runs, for a test that kills it while it starts; starting then fails. */
  onSpawn?: (process: { pid: number }) => void;
}

/** For Node. On one data folder, every process has them or none has. */
export const QUICK_PASSWORDS: readonly string[] = ["--import", new URL("./quick-passwords.mjs", import.meta.url).href];

const OWNER = { email: "owner@example.com", password: "correct horse battery" };
const TOKEN = "test-token-of-the-owner";

/** Runs what was built last: `npm test` builds before, `npm run build` does it by hand. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "culprit-data-"));
  const project = options.project === undefined ? "shop" : options.project;
  const setUp = project === null ? {} : { CULPRIT_ADMIN: `${OWNER.email}:${OWNER.password}`, CULPRIT_PROJECT: project };
  const args = [...START_ARGS, ...(options.hasSlowPasswords ? [] : QUICK_PASSWORDS), SERVER_FILE];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...START_ENV,
      PORT: String(options.port ?? 0),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      LOG_FORMAT: "json",
      // Tells each request: what a browser shows as a request may have come from its cache.
      LOG_LEVEL: "debug",
      CULPRIT_TOKEN: TOKEN,
      // What comes by itself would be counted among what a test sends, and costs processor time: tests of it ask for it.
      SENTRY_TRACES_SAMPLE_RATE: "0",
      SENTRY_WORK_TRACE_SECONDS: "0",
      ...(options.watchesItself ? {} : { SENTRY_DSN: "off" }),
      // Tests run wherever there is room for them, not for a server.
      MIN_FREE_DISK_BYTES: "0",
      ...setUp,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) options.onSpawn?.({ pid: child.pid });
  const log = collectLog(child);
  const exited = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  // Whatever ends the test run ends its servers.
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  exited.then(() => process.off("exit", killWithUs));

  const waitUntilStarted = async () => {
    const line = await log.waitFor(({ msg }) => msg === "accepting events", START_TIMEOUT_MS, exited);
    if (options.waitFor !== "events") await log.waitFor(({ msg }) => msg === "ready", START_TIMEOUT_MS, exited);
    else if (project !== null) await log.waitFor(({ dsn }) => typeof dsn === "string", START_TIMEOUT_MS, exited);
    return line;
  };
  const accepting = await waitUntilStarted().catch(async (error: unknown) => {
    child.kill("SIGKILL");
    await exited;
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const dsnLine = log.lines.find(({ dsn }) => typeof dsn === "string");
  const port = Number(accepting.port);

  async function stop(): Promise<number | null> {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    const code = await exited;
    clearTimeout(timer);
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    return code;
  }

  async function kill9(): Promise<void> {
    child.kill("SIGKILL");
    await exited;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dsn: typeof dsnLine?.dsn === "string" ? dsnLine.dsn.replace("localhost", "127.0.0.1") : null,
    token: TOKEN,
    dataDir,
    pid: child.pid ?? 0,
    owner: OWNER,
    async setUpCode() {
      const line = await log.waitFor(({ code }) => typeof code === "string", LOG_TIMEOUT_MS, exited);
      return String(line.code);
    },
    logLines: () => log.lines,
    async pageRequests() {
      // What was answered before this is in the log before it.
      const mark = `/sign-in?mark=${crypto.randomUUID()}`;
      const isMark = ({ msg, url }: LogLine) => msg === "answered" && url === mark;
      await (await fetch(`http://127.0.0.1:${port}${mark}`, { redirect: "manual" })).arrayBuffer();
      await log.waitFor(isMark, LOG_TIMEOUT_MS, exited);
      const answered = log.lines.slice(0, log.lines.findIndex(isMark)).filter(({ msg }) => msg === "answered");
      return answered.map(toPageRequest).filter(({ url }) => !url.startsWith("/sign-in?mark="));
    },
    waitForLog: (accepts, timeoutMs = LOG_TIMEOUT_MS) => log.waitFor(accepts, timeoutMs, exited),
    stop,
    hangUp: () => void child.kill("SIGHUP"),
    kill9,
    async [Symbol.asyncDispose]() {
      const isRunning = child.exitCode === null && child.signalCode === null;
      // Somebody may look at a folder that was given, or start on it.
      if (options.dataDir !== undefined) {
        if (isRunning) await stop();
        return;
      }
      await kill9();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function toPageRequest({ method, url, status }: LogLine): PageRequest {
  return { method: String(method), url: String(url), status: Number(status) };
}

function collectLog(child: ChildProcess) {
  const lines: LogLine[] = [];
  const errors: string[] = [];
  const listeners = new Set<(line: LogLine) => void>();
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = parseLine(text);
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString("utf8")));

  return {
    lines,
    waitFor(accepts: (line: LogLine) => boolean, timeoutMs: number, exited: Promise<number | null>): Promise<LogLine> {
      const past = lines.find(accepts);
      if (past) return Promise.resolve(past);
      return new Promise((done, fail) => {
        const giveUp = (why: string) => {
          end();
          fail(new Error(`${why}\n${errors.join("")}${lines.map((line) => JSON.stringify(line)).join("\n")}`));
        };
        const timer = setTimeout(
          () => giveUp(`the server did not log what was waited for in ${timeoutMs} ms`),
          timeoutMs,
        );
        const listener = (line: LogLine) => {
          if (!accepts(line)) return;
          end();
          done(line);
        };
        const end = () => {
          clearTimeout(timer);
          listeners.delete(listener);
        };
        listeners.add(listener);
        exited.then((code) => giveUp(`the server ended with code ${code}`));
      });
    },
  };
}

function parseLine(text: string): LogLine {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === "object" && line !== null && "msg" in line) return line as LogLine;
  } catch {
    // Something that is no log line was printed: shown as it is.
  }
  return { level: 0, msg: text };
}
