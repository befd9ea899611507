import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { isQuotaKind, isQuotaPeriod, type Quota, sortQuotas } from "../../../domain/quotas/quota.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { toHour } from "../../../domain/time.ts";
import type { CountedUse, QuotaIndex, QuotaStore } from "../../state/quota-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** The project id that stands for the whole server. */
const SERVER = 0;

interface QuotaRow {
  project_id: number;
  kind: string;
  period: string;
  quantity: number;
}

export function createQuotaStore(db: SqliteConnection): QuotaStore {
  return {
    listQuotas: async (scope, projectId) =>
      db.read(() => (exists(db, scope, projectId) ? listQuotas(db, projectId) : null)),
    saveQuotas: (scope, projectId, quotas) => db.write(() => saveQuotas(db, scope, projectId, quotas)),
  };
}

export function createQuotaIndex(db: SqliteConnection): QuotaIndex {
  return {
    async listAllQuotas() {
      const all = new Map<number | null, Quota[]>();
      for (const row of db.all<QuotaRow>("SELECT project_id, kind, period, quantity FROM quotas")) {
        const owner = row.project_id === SERVER ? null : row.project_id;
        all.set(owner, sortQuotas([...(all.get(owner) ?? []), ...toQuotas([row])]));
      }
      return all;
    },
    listUses: async () =>
      db.all<CountedUse>("SELECT owner, kind, period, started_at AS startedAt, used FROM quota_uses"),
    saveUses: (uses, dropBefore) =>
      db.write(() => {
        for (const { owner, kind, period, startedAt, used } of uses) {
          db.run(
            `INSERT INTO quota_uses (owner, kind, period, started_at, used)
             VALUES (:owner, :kind, :period, :startedAt, :used)
             ON CONFLICT DO UPDATE SET started_at = excluded.started_at, used = excluded.used`,
            { owner, kind, period, startedAt, used },
          );
        }
        db.run("DELETE FROM quota_uses WHERE started_at < :dropBefore", { dropBefore });
      }),
    async sumAdmitted({ projectId, categories, from }) {
      // Refused items, and items that the SDK dropped, did not use the quota.
      const sum = db.get<{ quantity: number }>(
        `SELECT CAST(min(total(quantity), ${Number.MAX_SAFE_INTEGER}) AS INTEGER) AS quantity FROM outcomes
         WHERE hour >= :fromHour AND (:projectId IS NULL OR project_id = :projectId)
           AND category IN (SELECT value FROM json_each(:categories))
           AND outcome NOT IN ('rate_limited', 'too_large', 'client_discard', 'expired')`,
        { fromHour: toHour(from), projectId, categories: JSON.stringify(categories) },
      );
      return sum?.quantity ?? 0;
    },
  };
}

function exists(db: SqliteConnection, scope: Scope, projectId: number | null): boolean {
  if (projectId === null) return true;
  return (
    includesProject(scope, projectId) &&
    db.get("SELECT 1 FROM projects WHERE id = :projectId", { projectId }) !== undefined
  );
}

function listQuotas(db: SqliteConnection, projectId: number | null): Quota[] {
  return toQuotas(
    db.all<QuotaRow>("SELECT project_id, kind, period, quantity FROM quotas WHERE project_id = :projectId", {
      projectId: projectId ?? SERVER,
    }),
  );
}

function saveQuotas(db: SqliteConnection, scope: Scope, projectId: number | null, quotas: readonly Quota[]): boolean {
  if (!exists(db, scope, projectId)) return false;
  const before = listQuotas(db, projectId);
  const owner = { projectId: projectId ?? SERVER };
  db.run("DELETE FROM quotas WHERE project_id = :projectId", owner);
  for (const { kind, period, limit } of quotas) {
    db.run("INSERT INTO quotas (project_id, kind, period, quantity) VALUES (:projectId, :kind, :period, :limit)", {
      ...owner,
      kind,
      period,
      limit,
    });
  }
  db.run("UPDATE configuration SET version = version + 1 WHERE id = 1");
  const { slug = "" } = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", owner) ?? {};
  db.note({
    action: "quota.edit",
    target:
      projectId === null
        ? { kind: "server", id: null, name: "the whole server" }
        : { kind: "project", id: projectId, name: slug },
    before: toAuditFields(before),
    after: toAuditFields(quotas),
  });
  return true;
}

function toAuditFields(quotas: readonly Quota[]): AuditFields {
  return Object.fromEntries(quotas.map(({ kind, period, limit }) => [`${kind} a ${period}`, limit]));
}

/** Skips kinds and periods of another version. */
function toQuotas(rows: readonly QuotaRow[]): Quota[] {
  return sortQuotas(
    rows.flatMap(({ kind, period, quantity }) =>
      isQuotaKind(kind) && isQuotaPeriod(period) ? [{ kind, period, limit: quantity }] : [],
    ),
  );
}
