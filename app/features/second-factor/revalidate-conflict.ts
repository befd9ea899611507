import type { ShouldRevalidateFunctionArgs } from "react-router";

/** After a conflict the page shows what there is now: another window may have ended its set-up, or turned the factor on. */
export function revalidateConflict({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
