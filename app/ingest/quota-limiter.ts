import type { DataCategory } from "../domain/data-category.ts";
import {
  findQuotaWindow,
  isQuotaInBytes,
  QUOTA_KINDS,
  type Quota,
  type QuotaOwner,
  type QuotaUse,
  toQuotaReason,
} from "../domain/quotas/quota.ts";
import type { CountedUse, QuotaIndex } from "../stores/state/quota-store.ts";
import type { IngestLog } from "./ingest-log.ts";
import type { KeyRateLimiter } from "./key-rate-limiter.ts";

/** A quota that stops items. */
export interface ReachedQuota {
  owner: QuotaOwner;
  categories: readonly DataCategory[];
  reason: string;
  /** Seconds until the sender may try again, at least 1. */
  seconds: number;
}

/**
 * The limits of projects and of the server, counted in memory. The counts are saved every few seconds and at the end, and a restart
 * continues from them. A process that dies loses at most the last `SAVE_EVERY_MS`.
 */
export interface QuotaLimiter {
  /** The quota that has no room; null: the items may pass. Counts nothing. */
  find(projectId: number, category: DataCategory, nowMs: number): ReachedQuota | null;
  /**
   * Counts items that `find` let in. The items of one container pass together while there is any room, so a quota may be exceeded by one
   * container.
   */
  count(projectId: number, category: DataCategory, amount: { items: number; bytes: number }, nowMs: number): void;
  /** The present use. `projectId` null: of the server. */
  listUses(projectId: number | null, nowMs: number): QuotaUse[];
  /** Loads the present quotas. The counts stay. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface Counter extends QuotaUse {
  owner: QuotaOwner;
  /** As in `CountedUse`. */
  name: string;
  categories: readonly DataCategory[];
  isInBytes: boolean;
  isChanged: boolean;
}

type ByCategory = ReadonlyMap<DataCategory, readonly Counter[]>;

/** How often the counts are saved. */
const SAVE_EVERY_MS = 5_000;

/**
 * The longest time that senders are told to wait. SDKs keep a limit until it ends, and it cannot be taken back. So a raised quota counts
 * for all senders within ten minutes.
 */
export const MAX_QUOTA_RETRY_SECONDS = 600;

const NOBODY: ByCategory = new Map();

export interface QuotaLimiterOptions {
  index: QuotaIndex;
  /** The rate limiter of keys. Its windows are saved and restored with the quotas. */
  keys: Pick<KeyRateLimiter, "listUses" | "restore">;
  now: () => number;
  log: IngestLog;
}

/** Lets everything pass until `reload` is done. */
export function createQuotaLimiter({ index, keys, now, log }: QuotaLimiterOptions): QuotaLimiter {
  let counters = new Map<string, Counter>();
  let byProject = new Map<number, ByCategory>();
  let ofServer: ByCategory = NOBODY;
  let isEmpty = true;
  let hasRestored = false;
  let saving: Promise<void> = Promise.resolve();

  async function reload(): Promise<void> {
    const quotas = await index.listAllQuotas();
    const at = now();
    const saved = hasRestored || quotas.size === 0 ? [] : await index.listUses();
    const next = new Map<string, Counter>();
    for (const [projectId, list] of quotas) {
      for (const quota of list) {
        const name = toName(projectId, quota);
        const known = counters.get(name);
        next.set(name, known ? Object.assign(known, { quota }) : await begin(projectId, quota, at, saved));
      }
    }
    counters = next;
    ofServer = sortByCategory([...next.values()].filter(({ owner }) => owner === "server"));
    byProject = new Map(
      [...quotas.keys()].flatMap((projectId): Array<[number, ByCategory]> => {
        if (projectId === null) return [];
        const own = [...next].flatMap(([name, counter]) =>
          counter.owner === "server" || name.startsWith(`project:${projectId} `) ? [counter] : [],
        );
        return [[projectId, sortByCategory(own)]];
      }),
    );
    isEmpty = next.size === 0;
    if (!hasRestored) keys.restore(saved.length > 0 ? saved : await index.listUses());
    hasRestored = true;
  }

  /** Makes a counter. It starts with the saved count, or else with the ledger's count for the window. */
  async function begin(
    projectId: number | null,
    quota: Quota,
    at: number,
    saved: readonly CountedUse[],
  ): Promise<Counter> {
    const window = findQuotaWindow(quota.period, at);
    const categories = QUOTA_KINDS[quota.kind];
    const isInBytes = isQuotaInBytes(quota.kind);
    const name = ownerName(projectId);
    const before = saved.find(
      ({ owner, kind, period, startedAt }) =>
        owner === name && kind === quota.kind && period === quota.period && startedAt === window.startedAt,
    );
    // The ledger knows neither bytes nor minutes.
    const isInLedger = !isInBytes && quota.period !== "minute";
    const used =
      before?.used ?? (isInLedger ? await index.sumAdmitted({ projectId, categories, from: window.startedAt }) : 0);
    const owner = projectId === null ? "server" : "project";
    return { owner, name, quota, categories, isInBytes, used, ...window, isChanged: used > 0 };
  }

  /** Starts the counter's next window if the present one is over. Returns the counter. */
  function renewWindow(counter: Counter, nowMs: number): Counter {
    // A clock that was set back begins a window, too, so that no sender waits longer than one window.
    if (nowMs >= counter.endsAt || nowMs < counter.startedAt) {
      Object.assign(counter, findQuotaWindow(counter.quota.period, nowMs), { used: 0, isChanged: true });
    }
    return counter;
  }

  const countersOf = (projectId: number, category: DataCategory): readonly Counter[] | undefined =>
    (byProject.get(projectId) ?? ofServer).get(category);

  function save(): Promise<void> {
    saving = saving.then(async () => {
      const changed = [...counters.values()].filter(({ isChanged }) => isChanged);
      const uses: CountedUse[] = [
        ...changed.map(({ name: owner, quota: { kind, period }, startedAt, used }) => ({
          owner,
          kind,
          period,
          startedAt,
          used,
        })),
        ...keys.listUses(),
      ];
      if (uses.length === 0) return;
      for (const counter of changed) counter.isChanged = false;
      try {
        await index.saveUses(uses, findQuotaWindow("month", now()).startedAt);
      } catch (error) {
        for (const counter of changed) counter.isChanged = true;
        log.warn({ err: error }, "what is used of the quotas could not be saved");
      }
    });
    return saving;
  }

  const timer = setInterval(save, SAVE_EVERY_MS);
  timer.unref();

  return {
    find(projectId, category, nowMs) {
      if (isEmpty) return null;
      let reached: Counter | null = null;
      for (const counter of countersOf(projectId, category) ?? []) {
        const { used, quota, endsAt } = renewWindow(counter, nowMs);
        if (used >= quota.limit && (reached === null || endsAt > reached.endsAt)) reached = counter;
      }
      if (reached === null) return null;
      const { owner, categories, quota, endsAt } = reached;
      const seconds = Math.min(MAX_QUOTA_RETRY_SECONDS, Math.max(1, Math.ceil((endsAt - nowMs) / 1000)));
      return { owner, categories, seconds, reason: toQuotaReason(owner, quota.period) };
    },
    count(projectId, category, { items, bytes }, nowMs) {
      if (isEmpty) return;
      for (const counter of countersOf(projectId, category) ?? []) {
        renewWindow(counter, nowMs).used += counter.isInBytes ? bytes : items;
        counter.isChanged = true;
      }
    },
    listUses(projectId, nowMs) {
      const name = ownerName(projectId);
      return [...counters.values()]
        .filter((counter) => counter.name === name)
        .map((counter) => {
          const { quota, used, startedAt, endsAt } = renewWindow(counter, nowMs);
          return { quota, used, startedAt, endsAt };
        });
    },
    reload,
    async close() {
      clearInterval(timer);
      await save();
    },
  };
}

function ownerName(projectId: number | null): string {
  return projectId === null ? "server" : `project:${projectId}`;
}

function toName(projectId: number | null, { kind, period }: Quota): string {
  return `${ownerName(projectId)} ${kind} ${period}`;
}

function sortByCategory(counters: readonly Counter[]): ByCategory {
  const byCategory = new Map<DataCategory, Counter[]>();
  for (const counter of counters) {
    for (const category of counter.categories) byCategory.set(category, [...(byCategory.get(category) ?? []), counter]);
  }
  return byCategory;
}
