import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import type { FoundArtifactFile } from "../stores/state/artifact-store.ts";

/** The questions to the index of uploads that mapping asks. */
export interface ArtifactLookups {
  /** Answers by debug id; newest upload first. */
  byDebugId(projectId: number, debugIds: readonly string[]): Promise<Map<string, FoundArtifactFile[]>>;
  /** Answers by URL, of uploads for exactly this release and dist; newest upload first. */
  byUrl(
    where: { projectId: number; release: string; dist: string | null },
    urls: readonly string[],
  ): Promise<Map<string, FoundArtifactFile[]>>;
}

const MAX_ANSWERS = 20_000;

/**
 * Remembers answers, also empty ones, until an upload comes or goes: events of one release ask the same again and again.
 */
export function createArtifactLookups(
  artifacts: Pick<ArtifactIndex, "findFilesByDebugId" | "findFilesByUrl" | "artifactVersion">,
): ArtifactLookups {
  const answers = new Map<string, FoundArtifactFile[]>();
  let version: number | null = null;

  async function find(
    prefix: string,
    names: readonly string[],
    ask: (unknown: string[]) => Promise<FoundArtifactFile[]>,
    nameOf: (file: FoundArtifactFile) => string | null,
  ): Promise<Map<string, FoundArtifactFile[]>> {
    // The version is read first: an upload that comes in between then makes the answer stale, and never the version.
    const current = await artifacts.artifactVersion();
    if (current !== version) {
      answers.clear();
      version = current;
    }
    const found = new Map<string, FoundArtifactFile[]>();
    const unknown: string[] = [];
    for (const name of new Set(names)) {
      const known = answers.get(prefix + name);
      if (known === undefined) unknown.push(name);
      else found.set(name, known);
    }
    if (unknown.length === 0) return found;
    for (const name of unknown) found.set(name, []);
    for (const file of await ask(unknown)) {
      const name = nameOf(file);
      if (name !== null) found.get(name)?.push(file);
    }
    if (current !== version) return found;
    if (answers.size + unknown.length > MAX_ANSWERS) answers.clear();
    for (const name of unknown) answers.set(prefix + name, found.get(name) ?? []);
    return found;
  }

  return {
    byDebugId: (projectId, debugIds) =>
      find(
        `${projectId}:id:`,
        debugIds,
        (ids) => artifacts.findFilesByDebugId(projectId, ids),
        (file) => file.debugId,
      ),
    byUrl: (where, urls) =>
      find(
        `${JSON.stringify([where.projectId, where.release, where.dist])}:`,
        urls,
        (unknown) => artifacts.findFilesByUrl(where, unknown),
        (file) => file.url,
      ),
  };
}
