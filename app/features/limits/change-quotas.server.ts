import type { Workspace } from "../../access/workspace.ts";
import { MB } from "../../domain/bytes.ts";
import {
  isQuotaInBytes,
  isQuotaKind,
  isQuotaPeriod,
  MAX_QUOTA_LIMIT,
  type Quota,
  sortQuotas,
  withoutQuota,
  withQuota,
} from "../../domain/quotas/quota.ts";
import { readIntent } from "../input/read-intent.ts";
import type { LimitResult } from "./limit-result.ts";
import { formatQuota, toKindWords } from "./quota-words.ts";

const QUOTA_INTENTS = ["set-quota", "remove-quota"] as const;

/** Sets or removes one quota of a project. Null: of the whole server. */
export async function changeQuotasByForm(
  workspace: Workspace,
  projectId: number | null,
  form: FormData,
): Promise<LimitResult> {
  const pressed = readIntent(form, QUOTA_INTENTS);
  if (!pressed.ok) return pressed;
  const kind = String(form.get("kind") ?? "");
  const period = String(form.get("period") ?? "");
  if (!isQuotaKind(kind)) return refuse("kind", "Choose what the quota is about.");
  if (!isQuotaPeriod(period)) return refuse("period", "Choose a minute, a day or a month.");
  const quotas = await workspace.state.quotas.listQuotas(workspace.scope, projectId);
  if (quotas === null) return GONE;
  if (pressed.intent === "remove-quota") {
    const removed = quotas.find((each) => each.kind === kind && each.period === period);
    if (removed === undefined) return { ...GONE, message: "This quota does not exist any more." };
    const saved = await changeQuotas(workspace, projectId, withoutQuota(quotas, removed));
    return saved.ok ? { ok: true, message: `Quota removed: ${describe(removed)}.`, removed } : saved;
  }
  const typed = String(form.get("limit") ?? "").replaceAll(/[\s,_]/g, "");
  const limit = /^\d{1,15}$/.test(typed) ? Number(typed) * (isQuotaInBytes(kind) ? MB : 1) : Number.NaN;
  if (!(limit <= MAX_QUOTA_LIMIT))
    return refuse("limit", "The quota must be a whole number, like 10,000. Zero refuses all.");
  const quota: Quota = { kind, period, limit };
  const saved = await changeQuotas(workspace, projectId, withQuota(quotas, quota));
  return saved.ok ? { ok: true, message: `Quota saved: ${describe(quota)}. It holds at once.` } : saved;
}

/** Replaces all quotas. Two of the same kind and period are refused. */
export async function changeQuotas(
  { state, scope, reloadKeys }: Workspace,
  projectId: number | null,
  quotas: readonly Quota[],
): Promise<LimitResult> {
  const names = quotas.map(({ kind, period }) => `${kind} a ${period}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return refuse("quotas", `There are two quotas of ${twice}.`);
  if (!(await state.quotas.saveQuotas(scope, projectId, sortQuotas(quotas)))) return GONE;
  await reloadKeys();
  return { ok: true, message: "Quotas saved." };
}

function describe(quota: Quota): string {
  return `${toKindWords(quota.kind)}, ${formatQuota(quota)}`;
}

function refuse(field: string, message: string): LimitResult {
  return { ok: false, status: 400, field, message };
}

const GONE = { ok: false, status: 404, field: "intent", message: "This project does not exist any more." } as const;
