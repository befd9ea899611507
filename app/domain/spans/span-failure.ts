/** What SDKs say of spans that have not failed: an empty status is none, and who cancels something does not want it. */
export const UNFAILED_STATUSES = ["", "ok", "unset", "unknown", "cancelled"] as const;

export function hasFailed(status: string | null): boolean {
  return status !== null && !UNFAILED_STATUSES.some((one) => one === status);
}
