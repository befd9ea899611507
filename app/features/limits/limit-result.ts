import type { Quota } from "../../domain/quotas/quota.ts";

/** The result of a form about limits. `removed`: the quota that an undo would set again. */
export type LimitResult =
  | { ok: true; message: string; removed?: Quota }
  | { ok: false; status: 400 | 404; field: string; message: string };
