import type { SentryEvent } from "../domain/event.ts";
import type { MappedEvent, ReadContext } from "../signals/signal.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import { hasMappableFrames } from "../symbolicate/has-mappable-frames.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { listUnreadMaps, symbolicateWithoutUploads } from "../symbolicate/wanted-maps.ts";

/** How long a batch waits for its source maps, all events together: enough to read the largest allowed map several times. Milliseconds. */
const DEFAULT_LIMIT_MS = 2_000;
/**
 * How long a batch waits after a batch that timed out without a result: a symbolicator that hangs must not delay each batch. Milliseconds.
 */
const SHORT_LIMIT_MS = 100;
const MAX_KNOWN_PROJECTS = 10_000;

export interface EventMapperOptions {
  symbolicator: Pick<Symbolicator, "symbolicate">;
  artifacts: Pick<ArtifactIndex, "artifactVersion" | "listArtifactBundles">;
  limitMs?: number;
}

export interface BatchMapping {
  map: NonNullable<ReadContext["mapToSources"]>;
  /** Call it when all events of the batch are back. @throws the error of a store that failed */
  end(): void;
}

/** Maps the events of batches to their sources. Every event comes back, even if the symbolicator fails. */
export class EventMapper {
  readonly #options: EventMapperOptions;
  readonly #limitMs: number;
  #isStuck = false;
  #version: number | null = null;
  /** Whether a project has uploads, by its id. */
  readonly #uploads = new Map<number, boolean>();

  constructor(options: EventMapperOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
  }

  /** Call it before the records of a batch are read. Later uploads count for the next batch. */
  async begin(): Promise<BatchMapping> {
    const version = await this.#options.artifacts.artifactVersion();
    if (version !== this.#version || this.#uploads.size > MAX_KNOWN_PROJECTS) this.#uploads.clear();
    this.#version = version;
    const limitMs = this.#isStuck ? Math.min(SHORT_LIMIT_MS, this.#limitMs) : this.#limitMs;
    let endsAt: number | null = null;
    let isAnyBack = false;
    let failure: { error: unknown } | null = null;
    return {
      map: (event, projectId) => {
        if (this.#uploads.get(projectId) === false) return symbolicateWithoutUploads(event);
        if (!hasMappableFrames(event)) return { event, wanted: [] };
        // All events of the batch end at the same time: the limit belongs to the batch.
        endsAt ??= performance.now() + limitMs;
        return this.#map(event, projectId, Math.max(1, endsAt - performance.now())).then(
          (mapped) => {
            if (!mapped.isLate) isAnyBack = true;
            return mapped;
          },
          (error: unknown) => {
            failure = { error };
            throw error;
          },
        );
      },
      end: () => {
        if (failure !== null) throw failure.error;
        if (endsAt !== null) this.#isStuck = !isAnyBack;
      },
    };
  }

  async #map(event: SentryEvent, projectId: number, limitMs: number): Promise<MappedEvent> {
    if (!(await this.#hasUploads(projectId))) return symbolicateWithoutUploads(event);
    const result = await this.#options.symbolicator.symbolicate(event, { projectId, limitMs });
    if (result.report.failure === null) return result;
    return { event: result.event, wanted: [...result.wanted, ...listUnreadMaps(result.report)], isLate: true };
  }

  async #hasUploads(projectId: number): Promise<boolean> {
    const known = this.#uploads.get(projectId);
    if (known !== undefined) return known;
    const { bundles } = await this.#options.artifacts.listArtifactBundles({ projectId, cursor: null, limit: 1 });
    this.#uploads.set(projectId, bundles.length > 0);
    return bundles.length > 0;
  }
}
