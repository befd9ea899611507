import { setImmediate } from "node:timers/promises";
import type { ArtifactBundle } from "../../domain/artifact.ts";
import type { ArtifactIndex } from "../../stores/state/artifact-index.ts";
import type { MissingSourceMapKey } from "../../stores/state/artifact-store.ts";

export type CountedWantedKey = MissingSourceMapKey & { eventCount: number };

/** By issue: the keys of source maps that it lacks and that may be there now. */
export type AffectedIssues = Map<number, CountedWantedKey[]>;

/** The number of newest uploads that are compared with the earlier ones. */
const MAX_BUNDLES = 10_000;
const PAGE_SIZE = 100;

/** The uploads that were looked at before. So only new ones are looked at after an upload. */
export class SeenUploads {
  readonly #artifacts: Pick<ArtifactIndex, "listArtifactBundles">;
  /** The projects and releases of each upload, by its id. An upload may get more of them later. */
  readonly #seen = new Map<number, string>();

  constructor(artifacts: Pick<ArtifactIndex, "listArtifactBundles">) {
    this.#artifacts = artifacts;
  }

  /** The uploads that were not noted, or have got more projects or releases since. */
  async listNew(): Promise<ArtifactBundle[]> {
    const uploads: ArtifactBundle[] = [];
    let cursor: string | null = null;
    for (let count = 0; count < MAX_BUNDLES; count += PAGE_SIZE) {
      const page = await this.#artifacts.listArtifactBundles({ cursor, limit: PAGE_SIZE });
      uploads.push(...page.bundles.filter((bundle) => this.#seen.get(bundle.id) !== toTargets(bundle)));
      cursor = page.nextCursor;
      if (cursor === null) break;
      await setImmediate();
    }
    return uploads;
  }

  /** Notes the uploads as looked at, with the projects and releases that they had when they were listed. */
  note(uploads: readonly ArtifactBundle[]): void {
    for (const bundle of uploads) this.#seen.set(bundle.id, toTargets(bundle));
  }
}

/** The issues that these uploads may help. Those with most events come first. */
export async function findAffectedIssues(
  artifacts: Pick<ArtifactIndex, "listArtifactFiles" | "findIssuesMissingSourceMaps">,
  uploads: readonly ArtifactBundle[],
): Promise<AffectedIssues> {
  const affected: AffectedIssues = new Map();
  for (const { id, projectIds, releases } of uploads) {
    const files = await artifacts.listArtifactFiles(id);
    const debugIds = new Set(files.flatMap(({ debugId }) => debugId ?? []));
    const uploaded = { projectIds, debugIds: [...debugIds], releases };
    for (const { issueId, keys } of await artifacts.findIssuesMissingSourceMaps(uploaded)) {
      affected.set(issueId, mergeKeys(affected.get(issueId) ?? [], keys));
    }
    await setImmediate();
  }
  return largestFirst(affected);
}

/** If two issues turn out to be one, the one that is read first stays. */
function largestFirst(affected: AffectedIssues): AffectedIssues {
  const size = (keys: CountedWantedKey[]) => Math.max(...keys.map(({ eventCount }) => eventCount));
  return new Map([...affected].sort(([idA, a], [idB, b]) => size(b) - size(a) || idA - idB));
}

function toTargets({ projectIds, releases }: ArtifactBundle): string {
  return JSON.stringify([projectIds, releases]);
}

function mergeKeys(known: CountedWantedKey[], added: CountedWantedKey[]): CountedWantedKey[] {
  const byKey = new Map([...known, ...added].map((key) => [toKeyText(key), key]));
  return [...byKey.values()];
}

/** A text that is equal for a key of the store and for the wish of a mapped event, if both mean the same map. */
export function toKeyText({
  debugId,
  release,
  dist,
}: Pick<MissingSourceMapKey, "debugId" | "release" | "dist">): string {
  return JSON.stringify([debugId, release, dist]);
}
