import { toShortName } from "../issues/resolution-words.ts";

/** Deploys as marks for a graph. */
export function toDeployMarks(
  deploys: ReadonlyArray<{ at: number; environment: string; version: string }>,
): Array<{ at: number; label: string }> {
  return deploys.map(({ at, environment, version }) => ({
    at,
    label: `Deploy of ${toShortName(version)} to ${environment}`,
  }));
}
