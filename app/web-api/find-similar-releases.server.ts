import type { Workspace } from "../access/workspace.ts";
import { parseReleaseVersion } from "../domain/release-version.ts";
import type { Scope } from "../domain/scope.ts";

const MAX_NAMED = 3;

/**
 * A sentence that names the releases that tools show under this short name. For example, `shop@2.15.0` is `2.15.0` in the lists of the
 * `sentry` command and of `@sentry/mcp-server`. Empty: there are none.
 */
export async function askForSimilarRelease(
  { state }: Pick<Workspace, "state">,
  scope: Scope,
  version: string,
): Promise<string> {
  const { releases } = await state.releases.listReleases(scope, {
    text: version,
    sort: "date",
    cursor: null,
    limit: 100,
  });
  const similar = releases.filter((release) => parseReleaseVersion(release.version).shortVersion === version);
  if (similar.length === 0) return "";
  const names = similar.slice(0, MAX_NAMED).map((release) => release.version);
  return `Did you mean ${names.join(" or ")}?`;
}
