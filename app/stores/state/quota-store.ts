import type { Quota, QuotaPeriod } from "../../domain/quotas/quota.ts";
import type { Scope } from "../../domain/scope.ts";

/** Quotas as people set them. `projectId` null: those of the whole server, which need `org:write`. */
export interface QuotaStore {
  /** In the order of `sortQuotas`. Null: there is no such project. */
  listQuotas(scope: Scope, projectId: number | null): Promise<Quota[] | null>;
  /** Replaces all quotas. False: there is no such project. */
  saveQuotas(scope: Scope, projectId: number | null, quotas: readonly Quota[]): Promise<boolean>;
}

/** The use in the window that began at that time. */
export interface CountedUse {
  /** `server`, `project:7` or `key:3`. */
  owner: string;
  /** A kind of `QUOTA_KINDS`; of a key: `all`. */
  kind: string;
  /** For a key: its window in seconds. */
  period: QuotaPeriod | `${number}s`;
  startedAt: number;
  used: number;
}

/** All quotas for ingest, and the use that ingest has counted. */
export interface QuotaIndex {
  /** Quotas by project. Null: those of the server. */
  listAllQuotas(): Promise<ReadonlyMap<number | null, Quota[]>>;
  listUses(): Promise<CountedUse[]>;
  /** Uses of windows that began before `dropBefore` go. */
  saveUses(uses: readonly CountedUse[], dropBefore: number): Promise<void>;
  /** The number of items of these categories since `from`, in whole hours, that had passed ingest. Null: of all projects. */
  sumAdmitted(query: { projectId: number | null; categories: readonly string[]; from: number }): Promise<number>;
}
