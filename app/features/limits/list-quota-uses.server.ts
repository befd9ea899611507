import type { Workspace } from "../../access/workspace.ts";
import { findQuotaWindow, QUOTA_KINDS, type QuotaUse, sortQuotas, toQuotaReason } from "../../domain/quotas/quota.ts";
import { narrowScope } from "../../domain/scope.ts";

export interface ListedQuota extends QuotaUse {
  /** The number of items that the quota refused since the day or the month began. For attachments these are also items. */
  refused: number;
}

/** The quotas of a project, or of the whole server if null, with how much is used. Null: the project does not exist. */
export async function listQuotaUses(
  { state, scope, quotaUses }: Workspace,
  projectId: number | null,
  now: number,
): Promise<ListedQuota[] | null> {
  const quotas = await state.quotas.listQuotas(scope, projectId);
  if (quotas === null) return null;
  if (quotas.length === 0) return [];
  const own = projectId === null ? scope : narrowScope(scope, [projectId]);
  const owner = projectId === null ? "server" : "project";
  const sumSince = (from: number) =>
    state.outcomes.sumOutcomes(own, {
      from,
      to: now + 1,
      bucketMs: null,
      groupBy: ["reason", "category"],
      outcomes: ["rate_limited"],
    });
  const [today, thisMonth] = await Promise.all([
    sumSince(findQuotaWindow("day", now).startedAt),
    sumSince(findQuotaWindow("month", now).startedAt),
  ]);
  const uses = quotaUses(projectId);
  return sortQuotas(quotas).map((quota) => {
    const { kind, period } = quota;
    const categories: readonly string[] = QUOTA_KINDS[kind];
    const refused = (period === "month" ? thisMonth : today)
      .filter(({ reason, category = "" }) => reason === toQuotaReason(owner, period) && categories.includes(category))
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const use = uses.find((each) => each.quota.kind === kind && each.quota.period === period);
    return { quota, used: use?.used ?? 0, ...findQuotaWindow(period, now), refused };
  });
}
