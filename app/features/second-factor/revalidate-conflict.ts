import type { ShouldRevalidateFunctionArgs } from "react-router";

/** After a conflict the page loads its data again: another window may have ended the set-up, or turned the factor on. */
export function revalidateConflict({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
