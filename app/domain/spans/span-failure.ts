/** Statuses of spans that have not failed. An empty status says nothing, and a cancelled span was not wanted. */
export const UNFAILED_STATUSES = ["", "ok", "unset", "unknown", "cancelled"] as const;

export function hasFailed(status: string | null): boolean {
  return status !== null && !UNFAILED_STATUSES.some((one) => one === status);
}
