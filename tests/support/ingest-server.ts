import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Project, ProjectKey } from "../../app/domain/project.ts";
import type { Quota } from "../../app/domain/quotas/quota.ts";
import { createIngest, type Ingest, type IngestOptions } from "../../app/ingest/create-ingest.ts";
import { DEFAULT_INGEST_LIMITS, type IngestLimits } from "../../app/ingest/ingest-limits.ts";
import { createKeyRateLimiter } from "../../app/ingest/key-rate-limiter.ts";
import { createKeyRing, type KeyRing } from "../../app/ingest/key-ring.ts";
import { createQuotaLimiter } from "../../app/ingest/quota-limiter.ts";
import { createMemoryJournal, type MemoryJournal } from "./memory-journal.ts";

/** Keys that every such server knows. */
export const KEYS = {
  /** Of project 1, without limits. */
  open: "a".repeat(32),
  /** Of project 1, disabled. */
  disabled: "b".repeat(32),
  /** Of project 2, which allows https://app.example.com only. */
  otherProject: "c".repeat(32),
  /** Of project 1, three items in sixty seconds. */
  limited: "d".repeat(32),
} as const;

const PROJECTS: Project[] = [
  {
    id: 1,
    slug: "one",
    name: "One",
    platform: "node",
    allowedOrigins: [],
    sourceLinks: null,
    fetchesSourceMaps: false,
    serviceRules: [],
    apdexMs: 300,
    groupingMovedAt: null,
    createdAt: 0,
    firstEventAt: null,
  },
  {
    id: 2,
    slug: "two",
    name: "Two",
    platform: "javascript",
    allowedOrigins: ["https://app.example.com"],
    sourceLinks: null,
    fetchesSourceMaps: false,
    serviceRules: [],
    apdexMs: 300,
    groupingMovedAt: null,
    createdAt: 0,
    firstEventAt: null,
  },
];

const PROJECT_KEYS: ProjectKey[] = [
  key(1, 1, KEYS.open),
  { ...key(2, 1, KEYS.disabled), isEnabled: false },
  key(3, 2, KEYS.otherProject),
  { ...key(4, 1, KEYS.limited), rateLimit: { count: 3, windowSeconds: 60 } },
];

function key(id: number, projectId: number, publicKey: string): ProjectKey {
  return {
    id,
    projectId,
    label: "Default",
    publicKey,
    isEnabled: true,
    rateLimit: null,
    sdkFeatures: [],
    createdAt: 0,
  };
}

export interface IngestServer extends AsyncDisposable {
  url: string;
  port: number;
  ingest: Ingest;
  keys: KeyRing;
  /** What `keys.reload()` reads. */
  projectKeys: ProjectKey[];
  journal: MemoryJournal;
  /** Counts of the metrics: `accepted`, and refusals by reason. */
  metrics: Record<string, number>;
  statuses: Record<number, number>;
  /** What was logged as a warning or an error. */
  logged: unknown[];
  /** What the clock says, in milliseconds; starts at the real time. */
  clock: { nowMs: number | null };
}

/** A real HTTP server with ingest behind it, on a free port, over a journal in memory. */
export async function startIngestServer(
  options: { limits?: Partial<IngestLimits> } & Partial<
    Pick<IngestOptions, "trustProxy" | "tunnel" | "neutralPaths">
  > & { quotas?: ReadonlyMap<number | null, Quota[]> } = {},
): Promise<IngestServer> {
  const journal = createMemoryJournal();
  const projectKeys = [...PROJECT_KEYS];
  const metrics: Record<string, number> = {};
  const statuses: Record<number, number> = {};
  const logged: unknown[] = [];
  const clock: IngestServer["clock"] = { nowMs: null };
  const log = {
    info: () => {},
    warn: (...args: unknown[]) => logged.push(args),
    error: (...args: unknown[]) => logged.push(args),
  };
  const keyLimiter = createKeyRateLimiter();
  const now = () => clock.nowMs ?? Date.now();
  const quotas = createQuotaLimiter({
    index: {
      listAllQuotas: async () => options.quotas ?? new Map(),
      listUses: async () => [],
      saveUses: async () => {},
      sumAdmitted: async () => 0,
    },
    keys: keyLimiter,
    now,
    log,
  });
  const keys = createKeyRing({
    quotas,
    directory: {
      version: async () => 1,
      listProjects: async () => PROJECTS,
      listKeys: async () => projectKeys,
    },
    log,
  });
  await keys.reload();
  const ingest = createIngest({
    journals: { express: journal, bulk: journal },
    keys,
    keyLimiter,
    quotas,
    limits: { ...DEFAULT_INGEST_LIMITS, ...options.limits },
    now,
    randomId: () => randomUUID().replaceAll("-", ""),
    log,
    metrics: {
      accepted: (items) => {
        metrics.accepted = (metrics.accepted ?? 0) + items;
      },
      refused: (reason, items) => {
        metrics[reason] = (metrics[reason] ?? 0) + items;
      },
      answered: (status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
      },
    },
    reportDialog: Buffer.from("showDialog();"),
    trustProxy: options.trustProxy ?? false,
    neutralPaths: options.neutralPaths ?? [],
    ...(options.tunnel ? { tunnel: options.tunnel } : {}),
  });
  const server = createServer((req, res) => {
    if (req.url === "/monitoring") ingest.handleTunnel(req, res);
    else if (!ingest.handle(req, res)) {
      res.writeHead(418);
      res.end("not ingest");
    }
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ingest,
    keys,
    projectKeys,
    journal,
    metrics,
    statuses,
    logged,
    clock,
    async [Symbol.asyncDispose]() {
      keys.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await ingest.close();
      await quotas.close();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
