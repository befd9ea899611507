import { setImmediate } from "node:timers/promises";
import type { ArtifactBundle } from "../domain/artifact.ts";
import type { ArtifactStore } from "../stores/artifact-store.ts";
import type { WantedSourceMapKey, WantedSourceMapStore } from "../stores/wanted-source-map-store.ts";

export type CountedWantedKey = WantedSourceMapKey & { eventCount: number };

/** What of an issue waits for maps that may be there now, by issue. */
export type AffectedIssues = Map<number, CountedWantedKey[]>;

/** Of the newest uploads, which are compared with what was there before. */
const MAX_BUNDLES = 10_000;
const PAGE_SIZE = 100;

type Stores = Pick<ArtifactStore, "listArtifactBundles" | "listArtifactFiles"> &
  Pick<WantedSourceMapStore, "findIssuesWantingSourceMaps">;

/** The uploads that have been looked at, so that a new one does not mean looking at all of them. */
export class SeenUploads {
  readonly #state: Stores;
  /** What each was uploaded for, by its id: an upload may gain projects and releases. */
  readonly #seen = new Map<number, string>();

  constructor(state: Stores) {
    this.#state = state;
  }

  /** Takes everything that is there as looked at. */
  async noteAll(): Promise<void> {
    for await (const bundle of this.#listBundles()) this.#seen.set(bundle.id, toTargets(bundle));
  }

  /** The issues that what is new since the last call may help; those of most events first. */
  async findAffected(): Promise<AffectedIssues> {
    const affected: AffectedIssues = new Map();
    const looked: Array<[bundleId: number, targets: string]> = [];
    for await (const bundle of this.#listBundles()) {
      const targets = toTargets(bundle);
      if (this.#seen.get(bundle.id) === targets) continue;
      looked.push([bundle.id, targets]);
      const files = await this.#state.listArtifactFiles(bundle.id);
      const debugIds = new Set(files.flatMap(({ debugId }) => debugId ?? []));
      const { projectIds, releases } = bundle;
      const uploaded = { projectIds, debugIds: [...debugIds], releases };
      for (const { issueId, keys } of await this.#state.findIssuesWantingSourceMaps(uploaded)) {
        affected.set(issueId, mergeKeys(affected.get(issueId) ?? [], keys));
      }
      await setImmediate();
    }
    for (const [bundleId, targets] of looked) this.#seen.set(bundleId, targets);
    return largestFirst(affected);
  }

  /** As if nothing had been looked at: what was found then was not brought to its end. */
  forget(): void {
    this.#seen.clear();
  }

  async *#listBundles(): AsyncGenerator<ArtifactBundle> {
    let cursor: string | null = null;
    for (let count = 0; count < MAX_BUNDLES; count += PAGE_SIZE) {
      const page = await this.#state.listArtifactBundles({ cursor, limit: PAGE_SIZE });
      yield* page.bundles;
      cursor = page.nextCursor;
      if (cursor === null) return;
      await setImmediate();
    }
  }
}

/** Of issues that turn out to be one, that which is looked at first goes on. */
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

/** The same for a key of the store and for what mapping an event says that it wants. */
export function toKeyText({
  debugId,
  release,
  dist,
}: Pick<WantedSourceMapKey, "debugId" | "release" | "dist">): string {
  return JSON.stringify([debugId, release, dist]);
}
