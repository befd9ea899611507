import type { Quota } from "../../domain/quotas/quota.ts";

/** What became of a form of the limits. `removed`: a quota that an undo would set again. */
export type LimitResult =
  | { ok: true; message: string; removed?: Quota }
  | { ok: false; status: 400 | 404; field: string; message: string };
