import { availableParallelism, totalmem } from "node:os";
import { resolve } from "node:path";
import {
  bad,
  MAX_RETENTION_DAYS,
  ok,
  parseAddressRanges,
  parseAdmin,
  parsePublicUrl,
  parseSignalDays,
  parseSignOutUrl,
  parseSmtpUrl,
  parseToken,
  parseTunnelPaths,
  TAKEN_HEADERS,
  TAKEN_PATHS,
} from "./config-formats.server.ts";
import {
  booleanVariable,
  bytesVariable,
  type ConfigVariable,
  choiceVariable,
  hasFileForm,
  integerVariable,
  numberVariable,
  optionalBytesVariable,
  parsedVariable,
  readVariableText,
} from "./config-variable.server.ts";
import { GIB, MIB } from "./domain/bytes.ts";
import type { ProxySignIn } from "./domain/people/proxy-identity.ts";
import { STORED_SIGNALS, type StoredSignal } from "./domain/stored-signal.ts";
import { HOUR_MS } from "./domain/time.ts";
import type { LogFormat, LogLevel } from "./log.server.ts";
import { parseDsn } from "./protocol/dsn.ts";

/** The default and the least: with 64 MiB, searches of attributes found no memory while many long rows came. */
const LEAST_EVENTS_MEMORY_BYTES = 128 * MIB;

/** An empty folder takes 2 MiB, and the largest envelope that is taken by default 100 MiB on its way. */
const MIN_MAX_DISK_BYTES = 64 * MIB;

/** Every variable that Culprit reads. The table of docs/configuration.md is made from this. */
export const VARIABLES = {
  PORT: integerVariable({
    default: 3000,
    min: 0,
    max: 65_535,
    what: "Port to listen on. 0 takes any free port.",
    why: "where people look for a Node server",
  }),
  HOST: parsedVariable<string | null>({
    default: null,
    defaultText: "all addresses",
    wants: "a host name or an IP address",
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? ok(text) : bad),
    what: "Address to listen on.",
    why: "applications report from other machines and from containers",
  }),
  DATA_DIR: parsedVariable({
    default: "./data",
    wants: "a path",
    parse: ok,
    what: "Folder for everything that Culprit keeps.",
    why: "one folder to back up, beside the checkout",
  }),
  PUBLIC_URL: parsedVariable<string | null>({
    default: null,
    defaultText: "as the request says",
    wants: "an http(s) URL without query, like https://errors.example.com",
    parse: parsePublicUrl,
    what: "Where SDKs and people reach this server. DSNs are made from it.",
    why: "right without a proxy",
  }),
  TRUST_PROXY: booleanVariable({
    default: false,
    what: "Believe `X-Forwarded-For`, `-Proto` and `-Host`. Only behind a proxy that overwrites them.",
    why: "anyone could send them otherwise",
  }),
  CULPRIT_ADMIN: parsedVariable<{ email: string; password: string } | null>({
    default: null,
    isSecret: true,
    wants: "email:password, the password 8 to 1024 characters long, the address at most 254",
    parse: parseAdmin,
    what: "Owner to create at the first start, as `email:password`. Ignored later.",
    why: "the set-up page asks otherwise",
  }),
  CULPRIT_PROJECT: parsedVariable<string | null>({
    default: null,
    wants: "a slug: up to 50 lower-case letters, digits and hyphens, beginning with a letter; not `culprit`",
    parse: (text) => (/^[a-z][a-z0-9-]{0,49}$/.test(text) && text !== "culprit" ? ok(text) : bad),
    what: "First project to create, together with `CULPRIT_ADMIN`. Its DSN is logged at every start.",
    why: "the set-up page asks otherwise",
  }),
  CULPRIT_TOKEN: parsedVariable<string | null>({
    default: null,
    isSecret: true,
    wants: "a token of ASCII characters without blanks",
    parse: parseToken,
    what: "Bearer token of the owner for the web API and for `/metrics`.",
    why: "no access without a person",
  }),
  METRICS_TOKEN: parsedVariable<string | null>({
    default: null,
    isSecret: true,
    wants: "a token of ASCII characters without blanks",
    parse: parseToken,
    what: "Bearer token for `/metrics` alone.",
    why: "a collector on this machine needs none",
  }),
  RETENTION_DAYS: integerVariable({
    default: 90,
    min: 1,
    max: MAX_RETENTION_DAYS,
    what: "Days after which events and counts are deleted.",
    why: "a quarter of a year is what error trackers usually keep",
  }),
  SIGNAL_RETENTION_DAYS: parsedVariable<Readonly<Partial<Record<StoredSignal, number>>>>({
    default: {},
    defaultText: "unset",
    wants: `pairs like replays=30, logs=14: whole days from 1 to 3650, of ${STORED_SIGNALS.join(", ")}`,
    parse: parseSignalDays,
    what: "Other numbers of days for some signals, like `replays=30, logs=14`. *Settings → Storage* lists the signals.",
    why: "all signals are kept equally long",
  }),
  ERASE_AFTER_HOURS: integerVariable({
    default: 6,
    min: 0,
    max: 20,
    what: "Hours until deleted data is erased from the payload files.",
    why: "deletions of these hours are erased together, and all are gone within a day",
  }),
  SMTP_URL: parsedVariable<string | null>({
    default: null,
    isSecret: true,
    wants: "smtp://user:password@host:587, or smtps:// for TLS from the first byte, and no query",
    parse: parseSmtpUrl,
    what: "URL of the mail server, with the password. It needs `MAIL_FROM`.",
    why: "no mail is sent, and pages say so",
  }),
  MAIL_FROM: parsedVariable<string | null>({
    default: null,
    wants: "an address like errors@example.com, or Culprit <errors@example.com>",
    parse: (text) => (/^(?:[^<>"\r\n]* <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text) ? ok(text) : bad),
    what: "Sender of the mail.",
    why: "only the operator knows which sender the server allows",
  }),
  ALLOW_PRIVATE_WEBHOOKS: booleanVariable({
    default: false,
    what: "Let channels (webhooks, chats) and the push services of browsers be at private and loopback addresses.",
    why: "people who edit a project could otherwise reach into the server's network, and so could every member, by the address of a push service",
  }),
  ALLOW_PRIVATE_PROVIDERS: booleanVariable({
    default: false,
    what: "Let single sign-on reach providers at private and loopback addresses, and over plain http.",
    why: "owners could otherwise reach into the server's network",
  }),
  PROXY_SIGN_IN_FROM: parsedVariable<readonly string[]>({
    default: [],
    defaultText: "off",
    wants:
      "up to 16 addresses or ranges like 127.0.0.1, 10.1.0.0/16 or fd00::/8, separated by commas, and none that has every address",
    parse: parseAddressRanges,
    what: "Addresses from which a proxy connects whose headers say who somebody is ([sign-in by a proxy](operating.md#sign-in-by-a-proxy)). `X-Forwarded-For` does not count.",
    why: "anyone could claim to be anybody otherwise",
  }),
  PROXY_USER_HEADER: identityHeaderVariable("Remote-User", "the name of the account, which never becomes another's"),
  PROXY_EMAIL_HEADER: identityHeaderVariable("Remote-Email", "the e-mail address"),
  PROXY_NAME_HEADER: identityHeaderVariable("Remote-Name", "the name of the person"),
  PROXY_GROUPS_HEADER: identityHeaderVariable("Remote-Groups", "groups, separated by commas"),
  PROXY_SIGN_OUT_URL: parsedVariable<string | null>({
    default: null,
    wants: "an http(s) URL like https://auth.example.com/logout",
    parse: parseSignOutUrl,
    what: "Where the proxy ends its own session. *Sign out* leads there.",
    why: "signing out ends the session here alone",
  }),
  ALLOW_PRIVATE_CHECKS: booleanVariable({
    default: false,
    what: "Let uptime monitors reach private and loopback addresses.",
    why: "people who edit a project could otherwise look around in the server's network",
  }),
  SEND_NOTHING: booleanVariable({
    default: false,
    what: "Send no mail and no messages, and ask no monitored address. For a copy of the data, as in a [drill](operating.md#back-up).",
    why: "a server tells people what breaks",
  }),
  LOG_LEVEL: choiceVariable<LogLevel>({
    default: "info",
    choices: ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    what: "Lowest level that is logged.",
    why: "starts, stops and what an operator should act on",
  }),
  LOG_FORMAT: choiceVariable<LogFormat | "auto">({
    default: "auto",
    choices: ["auto", "json", "text"],
    what: "`json` for collectors, `text` for people.",
    why: "text at a terminal, JSON otherwise",
  }),
  MAX_CONNECTIONS: integerVariable({
    default: 3000,
    min: 16,
    max: 65_536,
    what: "Connections open at once. Near the limit, Culprit closes idle connections first. At the limit, it closes new ones. Where the process may have too few files open for so many, the log says how many there are.",
    why: "92 MB if each has sent 31 KB of headers (measured), and fewer files than the 4,096 that some systems allow",
  }),
  MAX_REQUEST_BYTES: bytesVariable({
    default: 20 * MIB,
    min: 1024,
    what: "Largest compressed request body of an SDK.",
    why: "what Sentry documents for a compressed envelope",
  }),
  MAX_ENVELOPE_BYTES: bytesVariable({
    default: 100 * MIB,
    min: 1024,
    what: "Largest request body of an SDK, decompressed.",
    why: "what Sentry documents for an envelope",
  }),
  MAX_IN_FLIGHT_BYTES: bytesVariable({
    default: 256 * MIB,
    min: MIB,
    what: "Bodies held in memory at once. Requests beyond that get 503 with `Retry-After`.",
    why: "two envelopes of the largest size, or thousands of ordinary ones",
  }),
  MAX_BACKLOG_BYTES: bytesVariable({
    default: 4 * GIB,
    min: 16 * MIB,
    what: "Accepted events that may wait on disk for the digest. Requests beyond that get 429. Spans, logs and other bulk may take seven eighths of it.",
    why: "half a million events, a burst of several minutes",
  }),
  MIN_FREE_DISK_BYTES: bytesVariable({
    default: 512 * MIB,
    min: 0,
    what: "Free disk below which nothing new is accepted. Pages go on working.",
    why: "room for the stores to write what was accepted",
  }),
  MAX_DISK_BYTES: optionalBytesVariable({
    min: MIN_MAX_DISK_BYTES,
    what: "Size that the data folder never exceeds. Near it, the oldest days are deleted; *Settings → Storage* says which ones and when.",
    why: "what the disk has, less `MIN_FREE_DISK_BYTES`",
  }),
  EVENTS_MEMORY_BYTES: bytesVariable({
    default: LEAST_EVENTS_MEMORY_BYTES,
    min: LEAST_EVENTS_MEMORY_BYTES,
    what: "Memory of the event store (DuckDB). The process grows by about twice as much. Larger queries spill to disk.",
    why: "holds the newest rows of all tables and a few searches at once. It is also the least: with 64 MiB, a search of attributes got 503 while many long rows came",
  }),
  DIGEST_THREADS: integerVariable({
    default: Math.max(1, availableParallelism() - 2),
    defaultText: "cores less two, at least 1",
    min: 1,
    max: 64,
    what: "Threads that decode, normalise, scrub and group accepted events. With 1, the thread that commits them also does this.",
    why: "one core for requests and pages, one for commits",
  }),
  SENTRY_DSN: parsedVariable<string | "off" | null>({
    default: null,
    defaultText: "project `culprit` of this server",
    wants: "a DSN like https://key@host/1, or `off`",
    parse: (text) => (text === "off" || parseDsn(text) ? ok(text) : bad),
    what: "Where Culprit reports its own errors. `off` means nowhere.",
    why: "Culprit watches itself",
  }),
  TUNNEL_PATHS: parsedVariable<readonly string[]>({
    default: ["/t"],
    defaultText: "`/t/`",
    wants: "up to 8 paths like /t/ or /my/errors/, separated by commas, and none that Culprit uses for something else",
    parse: parseTunnelPaths,
    what: "Paths that take envelopes of every project, for the `tunnel` option of browser SDKs.",
    why: "filter lists block `/api/N/envelope/`",
  }),
  SENTRY_TUNNEL_PATH: parsedVariable({
    default: "/monitoring",
    wants: "a path like /monitoring, and none that Culprit uses for something else",
    parse: (text) => (/^(\/[\w-]+)+$/.test(text) && !TAKEN_PATHS.test(text) ? ok(text) : bad),
    what: "Path through which Culprit's own pages report.",
    why: "the same origin, so that no blocker and no policy stops it",
  }),
  SENTRY_ENVIRONMENT: parsedVariable<string | null>({
    default: null,
    defaultText: "production; development in `npm run dev`",
    wants: "a name of up to 64 characters without blanks or slashes",
    parse: (text) => (/^[^\s/]{1,64}$/.test(text) ? ok(text) : bad),
    what: "Environment of Culprit's own events.",
    why: "as it runs",
  }),
  SENTRY_TRACES_SAMPLE_RATE: numberVariable({
    default: 0.1,
    min: 0,
    max: 1,
    what: "Share of Culprit's own page loads and requests that are traced.",
    why: "a traced page costs the server half as much again. Errors are always reported",
  }),
  SENTRY_WORK_TRACE_SECONDS: numberVariable({
    default: 60,
    min: 0,
    max: 86_400,
    what: "Window in seconds. The slowest batch of the digest in each window is traced. Long runs of jobs are traced, too. 0 traces neither.",
    why: "a busy server has twenty batches a second",
  }),
} satisfies Record<string, ConfigVariable<unknown>>;

/** Limits of memory. A limit above the existing memory would end the process some day, and not at its start. */
const HELD_IN_MEMORY = ["MAX_IN_FLIGHT_BYTES", "EVENTS_MEMORY_BYTES"] as const;

export type Config = ReturnType<typeof toConfig>;

export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration does not work:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * The only reader of the environment. A blank variable counts as unset. A secret may be in a file: `<variable>_FILE` names it.
 *
 * @throws {ConfigError} naming every problem at once.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  {
    mode,
    isTerminal,
    workingFolder,
    memoryBytes,
  }: {
    mode: "production" | "development";
    isTerminal: boolean;
    workingFolder: string;
    /** The memory of the machine, or the limit of its container. */
    memoryBytes: number;
  },
): Config {
  const problems: string[] = [];
  const read = <Value>(name: string, variable: ConfigVariable<Value>): Value => {
    const given = readVariableText(name, variable, env);
    if ("problem" in given) {
      problems.push(given.problem);
      return variable.default;
    }
    if (given.text === "") return variable.default;
    const parsed = variable.parse(given.text);
    if (parsed.ok) return parsed.value;
    problems.push(
      `${given.source} ${variable.isSecret ? "holds something else than" : `is ${JSON.stringify(given.text)}, and wants`} ${variable.wants}`,
    );
    return variable.default;
  };
  const values = Object.fromEntries(
    Object.entries<ConfigVariable<unknown>>(VARIABLES).map(([name, variable]) => [name, read(name, variable)]),
  ) as { [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]["default"] };

  for (const name of HELD_IN_MEMORY) {
    if (values[name] > memoryBytes && values[name] !== VARIABLES[name].default)
      problems.push(
        `${name} is ${JSON.stringify(env[name])}, and this machine or container has ${(memoryBytes / GIB).toFixed(1)} GiB of memory`,
      );
  }
  if (values.MAX_ENVELOPE_BYTES > values.MAX_IN_FLIGHT_BYTES) {
    problems.push("MAX_ENVELOPE_BYTES is larger than MAX_IN_FLIGHT_BYTES, and no such envelope could be taken");
  }
  if (values.MAX_DISK_BYTES !== null && values.MAX_DISK_BYTES < values.MAX_ENVELOPE_BYTES) {
    problems.push("MAX_DISK_BYTES is smaller than MAX_ENVELOPE_BYTES, and such an envelope could not be stored");
  }
  if (values.TUNNEL_PATHS.includes(values.SENTRY_TUNNEL_PATH)) {
    problems.push(`TUNNEL_PATHS and SENTRY_TUNNEL_PATH both name ${values.SENTRY_TUNNEL_PATH}: give each its own path`);
  }
  if ((values.SMTP_URL === null) !== (values.MAIL_FROM === null)) {
    problems.push("SMTP_URL and MAIL_FROM go together, and one of them is not set");
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const known = new Set(Object.keys(VARIABLES).concat(fileVariables()));
  const unknown = Object.keys(env).filter((name) => name.startsWith("CULPRIT_") && !known.has(name));
  return deepFreeze(toConfig(values, { mode, isTerminal, workingFolder, unknown }));
}

/** Bytes: the limit of the container if there is one, else the memory of the machine. */
export function readMemoryBytes(): number {
  const total = totalmem();
  // 0 means unknown, and a huge number means that there is no limit.
  return Math.min(total, process.constrainedMemory() || total);
}

/** The same values in the form that the parts want: each part gets its slice and sees no other. */
function toConfig(
  values: { [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]["default"] },
  process: { mode: "production" | "development"; isTerminal: boolean; workingFolder: string; unknown: string[] },
) {
  const format: LogFormat = values.LOG_FORMAT === "auto" ? (process.isTerminal ? "text" : "json") : values.LOG_FORMAT;
  return {
    mode: process.mode,
    dataDir: resolve(process.workingFolder, values.DATA_DIR),
    /** Names that look like ours and are not: most likely mistyped. */
    unknownVariables: process.unknown,
    log: { level: values.LOG_LEVEL, format },
    server: {
      port: values.PORT,
      host: values.HOST,
      publicUrl: values.PUBLIC_URL,
      trustProxy: values.TRUST_PROXY,
      maxConnections: values.MAX_CONNECTIONS,
      apiToken: values.CULPRIT_TOKEN,
      metricsTokens: [values.METRICS_TOKEN, values.CULPRIT_TOKEN].filter((token) => token !== null),
    },
    firstStart: { admin: values.CULPRIT_ADMIN, projectSlug: values.CULPRIT_PROJECT },
    ingest: {
      maxCompressedBytes: values.MAX_REQUEST_BYTES,
      maxEnvelopeBytes: values.MAX_ENVELOPE_BYTES,
      maxInFlightBytes: values.MAX_IN_FLIGHT_BYTES,
    },
    neutralPaths: values.TUNNEL_PATHS,
    digest: { threads: values.DIGEST_THREADS },
    journal: { maxBacklogBytes: values.MAX_BACKLOG_BYTES, minFreeDiskBytes: values.MIN_FREE_DISK_BYTES },
    stores: {
      eventsMemoryBytes: values.EVENTS_MEMORY_BYTES,
      eraseAfterMs: values.ERASE_AFTER_HOURS * HOUR_MS,
    },
    storage: { maxBytes: values.MAX_DISK_BYTES, reserveBytes: values.MIN_FREE_DISK_BYTES },
    retention: {
      /** Days for counts, and for signals without a setting of their own. */
      days: values.RETENTION_DAYS,
      signalDays: Object.fromEntries(
        STORED_SIGNALS.map((signal) => [signal, values.SIGNAL_RETENTION_DAYS[signal] ?? values.RETENTION_DAYS]),
      ) as Record<StoredSignal, number>,
    },
    uptime: { allowsPrivate: values.ALLOW_PRIVATE_CHECKS, asksNothing: values.SEND_NOTHING },
    signIn: {
      allowsPrivateProviders: values.ALLOW_PRIVATE_PROVIDERS,
      /** Null: no proxy signs people in. */
      byProxy: values.PROXY_SIGN_IN_FROM.length === 0 ? null : toProxySignIn(values),
    },
    notifications: {
      mail:
        values.SMTP_URL && values.MAIL_FROM && !values.SEND_NOTHING
          ? { url: values.SMTP_URL, from: values.MAIL_FROM }
          : null,
      sendsNothing: values.SEND_NOTHING,
      allowsPrivate: values.ALLOW_PRIVATE_WEBHOOKS,
    },
    monitoring: {
      dsn: values.SENTRY_DSN,
      tunnelPath: values.SENTRY_TUNNEL_PATH,
      environment: values.SENTRY_ENVIRONMENT ?? process.mode,
      tracesSampleRate: values.SENTRY_TRACES_SAMPLE_RATE,
      workTraceSeconds: values.SENTRY_WORK_TRACE_SECONDS,
    },
  };
}

function toProxySignIn(values: {
  PROXY_SIGN_IN_FROM: readonly string[];
  PROXY_USER_HEADER: string;
  PROXY_EMAIL_HEADER: string;
  PROXY_NAME_HEADER: string;
  PROXY_GROUPS_HEADER: string;
  PROXY_SIGN_OUT_URL: string | null;
}): ProxySignIn & { from: readonly string[] } {
  const [user, email] = [values.PROXY_USER_HEADER.toLowerCase(), values.PROXY_EMAIL_HEADER.toLowerCase()];
  const [name, groups] = [values.PROXY_NAME_HEADER.toLowerCase(), values.PROXY_GROUPS_HEADER.toLowerCase()];
  const signOutUrl = values.PROXY_SIGN_OUT_URL;
  return { from: values.PROXY_SIGN_IN_FROM, headers: { user, email, name, groups }, signOutUrl };
}

/** Names of the variables that name a file with a secret. */
export function fileVariables(): string[] {
  return Object.entries<ConfigVariable<unknown>>(VARIABLES)
    .filter(([, variable]) => hasFileForm(variable))
    .map(([name]) => `${name}_FILE`);
}

/** The table of docs/configuration.md: one line per variable. */
export function renderConfigTable(): string {
  const lines = Object.entries<ConfigVariable<unknown>>(VARIABLES).map(
    ([name, { what, wants, defaultText, why }]) =>
      `| \`${name}\` | ${what} | ${wants.replaceAll("<", "&lt;")} | ${defaultText} | ${why} |`,
  );
  const head = ["| Variable | What it is | Takes | Default | Why that default |", "| --- | --- | --- | --- | --- |"];
  return [...head, ...lines].join("\n");
}

function identityHeaderVariable(name: string, meaning: string): ConfigVariable<string> {
  return parsedVariable({
    default: name,
    defaultText: `\`${name}\``,
    wants: "the name of a header that has no other meaning, like X-Forwarded-User",
    parse: (text) => (/^[a-z][a-z0-9-]{0,63}$/i.test(text) && !TAKEN_HEADERS.test(text) ? ok(text) : bad),
    what: `Header in which that proxy says ${meaning}.`,
    why: "as Authelia calls it",
  });
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
