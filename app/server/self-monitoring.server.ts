import { type MonitoringOptions, startMonitoring } from "../../instrument.server.ts";
import type { Config } from "../config.server.ts";
import { BUILT_IN_SLUG } from "../domain/project.ts";
import { toDsn } from "../features/projects/project-dsn.ts";
import type { TunnelTarget } from "../ingest/tunnel.ts";
import type { Log } from "../log.server.ts";
import { parseDsn, toEnvelopeUrl } from "../protocol/dsn.ts";
import type { TunnelForward, TunnelForwardAnswer } from "../protocol/tunnel-forward.ts";
import { createEnvelopeForwarder } from "../sentry/forward-envelope.server.ts";
import { type Monitoring, registerMonitoring } from "../sentry/monitoring.server.ts";
import type { State } from "../stores/state/state.ts";
import { findKey } from "./first-start.server.ts";

const FLUSH_TIMEOUT_MS = 1_000;

export interface SelfMonitoring {
  /** The tunnel serves only the DSN that our pages report to, or nothing. */
  tunnelTargets(): readonly TunnelTarget[];
  /** Id of the project that gets our own reports. Null: they go elsewhere, or nowhere. */
  ownProjectId(): number | null;
  forward: ((request: TunnelForward) => Promise<TunnelForwardAnswer>) | undefined;
  /** Looks for the DSN again, and starts the SDK the first time there is one. Call it when projects or keys have changed. */
  refresh(): Promise<void>;
  /** Sends what waits. */
  close(): Promise<void>;
}

interface SelfMonitoringOptions {
  config: Config["monitoring"];
  /** The release of our own events. */
  release: string;
  loadSdk: MonitoringOptions["loadSdk"];
  state: State;
  /** The URL of this server. DSNs of the built-in project contain it, and nothing is ever sent there. */
  baseUrl: () => string;
  deliver: (envelope: Uint8Array, publicKey: string) => Promise<{ status: number; headers: Record<string, string> }>;
  log: Log;
}

/** Culprit watches itself with the same tool: by its built-in project, or wherever `SENTRY_DSN` says. */
export function createSelfMonitoring(options: SelfMonitoringOptions): SelfMonitoring {
  const { config, log } = options;
  if (config.dsn === "off") {
    return {
      tunnelTargets: () => [],
      ownProjectId: () => null,
      forward: undefined,
      refresh: async () => {},
      close: async () => {},
    };
  }
  const external = config.dsn === null ? null : parseDsn(config.dsn);
  let targets: TunnelTarget[] = [];
  let builtInKey: string | null = null;
  let monitoring: Monitoring | undefined;
  let starting: Promise<void> | undefined;

  async function findTarget(): Promise<{ dsn: string; target: TunnelTarget } | null> {
    if (external && config.dsn) {
      const host = external.port === null ? external.host : `${external.host}:${external.port}`;
      return { dsn: config.dsn, target: { publicKey: external.publicKey, projectId: external.projectId, host } };
    }
    const key = await findKey(options.state, BUILT_IN_SLUG);
    if (!key) return null;
    builtInKey = key.publicKey;
    return {
      dsn: toDsn(options.baseUrl(), key),
      target: { publicKey: key.publicKey, projectId: key.projectId, host: null },
    };
  }

  async function refresh(): Promise<void> {
    const found = await findTarget();
    targets = found ? [found.target] : [];
    if (!found) return;
    const browser: MonitoringOptions["browser"] = {
      dsn: found.dsn,
      tunnelPath: config.tunnelPath,
      release: options.release,
      environment: config.environment,
      tracesSampleRate: config.tracesSampleRate,
    };
    if (monitoring) monitoring.browser = browser;
    else {
      starting ??= start(browser);
      await starting;
    }
  }

  async function start(browser: MonitoringOptions["browser"]): Promise<void> {
    monitoring = await startMonitoring({
      loadSdk: options.loadSdk,
      browser,
      deliver: external ? null : async (envelope) => options.deliver(envelope, builtInKey ?? ""),
      onDropped: (fault) => log.warn({ fault }, "a fault of our own is too frequent to be reported each time"),
    });
    registerMonitoring(monitoring);
  }

  return {
    tunnelTargets: () => targets,
    ownProjectId: () => targets.find(({ host }) => host === null)?.projectId ?? null,
    forward: external ? createEnvelopeForwarder(toEnvelopeUrl(external)) : undefined,
    refresh,
    async close() {
      await starting;
      registerMonitoring(undefined);
      await monitoring?.close(FLUSH_TIMEOUT_MS);
    },
  };
}
