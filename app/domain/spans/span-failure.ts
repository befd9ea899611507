/** What SDKs say of spans that have not failed: an empty status is none. */
export const UNFAILED_STATUSES = ["", "ok", "unset", "unknown"] as const;

export function hasFailed(status: string | null): boolean {
  return status !== null && !UNFAILED_STATUSES.some((one) => one === status);
}
