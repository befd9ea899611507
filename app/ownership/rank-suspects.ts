import type { Commit } from "../domain/release.ts";

type FoundCommit = Commit & { path: string; askedPath: string };

/** A person looks at a few; the rest would be guesses. */
const MAX_SUSPECTS = 5;

/**
 * Each commit once, with the file nearest to the crash; those nearer to it first, of one file the newest first. `paths` from
 * the crash on, `found` newest first.
 */
export function rankSuspects(found: readonly FoundCommit[], paths: readonly string[]): FoundCommit[] {
  const distance = new Map(paths.map((path, index) => [path, index]));
  const distanceOf = ({ askedPath }: FoundCommit) => distance.get(askedPath) ?? paths.length;
  const nearest = new Map<string, FoundCommit>();
  for (const commit of found) {
    // What deleted the file cannot have broken the code that ran.
    if (commit.files?.some(({ path, change }) => path === commit.path && change === "D")) continue;
    const key = `${commit.repository} ${commit.id}`;
    const known = nearest.get(key);
    if (!known || distanceOf(commit) < distanceOf(known)) nearest.set(key, commit);
  }
  return [...nearest.values()].sort((a, b) => distanceOf(a) - distanceOf(b) || b.at - a.at).slice(0, MAX_SUSPECTS);
}
