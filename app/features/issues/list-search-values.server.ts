import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";

/** As many as the list under the field shows. */
const MAX_VALUES = 10;
/** Looked at for those that begin with the letters, before those that hold them. */
const MAX_READ = 50;
const MAX_TEXT_LENGTH = 250;

/** Values of a key of the search that are too many to come with the page. */
export interface SearchValues {
  values: string[];
  /** Whether the list is complete for these letters: then more letters need no new request. */
  isAll: boolean;
}

/**
 * Versions that hold the letters, of releases that are not archived: those that begin with them first, in each half the
 * newest first. `slugs`: of any of these projects; empty: of all.
 */
export async function listReleaseValues(
  workspace: Workspace,
  { text, slugs }: { text: string; slugs: readonly string[] },
): Promise<SearchValues> {
  const { state, scope } = workspace;
  if (text.length > MAX_TEXT_LENGTH) return { values: [], isAll: true };
  const chosen =
    slugs.length === 0
      ? scope
      : narrowScope(
          scope,
          (await state.projects.listProjects(scope)).filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id),
        );
  const letters = text.toLowerCase();
  const { releases, nextCursor } = await state.releases.listReleases(chosen, {
    status: "open",
    ...(letters === "" ? {} : { text: letters }),
    sort: "date",
    cursor: null,
    limit: MAX_READ,
  });
  const versions = releases.map(({ version }) => version);
  const begins = versions.filter((version) => version.toLowerCase().startsWith(letters));
  const holds = versions.filter((version) => !version.toLowerCase().startsWith(letters));
  return {
    values: [...begins, ...holds].slice(0, MAX_VALUES),
    isAll: nextCursor === null && versions.length <= MAX_VALUES,
  };
}
