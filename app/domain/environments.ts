/**
 * The number of environments that a project keeps apart. Anyone with a DSN may send events with any environment, so the number is
 * bounded. Events of further environments are stored and counted like all others, and keep the text in their payload. But no list
 * offers these names, and they find no issues.
 */
export const MAX_ENVIRONMENTS_OF_PROJECT = 1_000;

/** Events of one project whose environments found no room. Instants: milliseconds since 1970. */
export interface EnvironmentOverflow {
  projectId: number;
  eventCount: number;
  lastName: string;
  lastAt: number;
}
