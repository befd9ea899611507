/**
 * Anyone with a DSN may send events that name environments: a project keeps so many apart. Events of further ones are stored
 * and counted like all others, with their own text in the payload; no list offers these names, and issues are not found by them.
 */
export const MAX_ENVIRONMENTS_OF_PROJECT = 1_000;

/** Events of one project whose environments found no room. Instants: milliseconds since 1970. */
export interface EnvironmentOverflow {
  projectId: number;
  eventCount: number;
  lastName: string;
  lastAt: number;
}
