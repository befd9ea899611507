import { makeScope, type Scope } from "../domain/scope.ts";

/**
 * The scope of the server itself over some projects, for jobs and metrics. It has no rights, and no request gets it:
 * `tests/unit/import-boundaries.test.ts` checks that pages, features and the web API do not import this file.
 */
export function scopeOfServer(projectIds: readonly number[]): Scope {
  return makeScope({ organizationId: 1, projectIds, rights: [] });
}
