import { setImmediate } from "node:timers/promises";
import type { ArtifactStore } from "../stores/state/artifact-store.ts";
import type { Symbolicator } from "../symbolicate/symbolicator-client.ts";
import { listUnreadMaps, symbolicateWithoutUploads } from "../symbolicate/wanted-maps.ts";
import { finishEvent, type MappedEvent } from "./digest-event-item.ts";
import { type HasUploads, setAsideItem } from "./digest-records.ts";
import type { Digested, DigestedEvent, UnmappedEvent } from "./digested.ts";

/**
 * What a batch waits for its source maps, all events together: enough to read the largest map that is allowed, several
 * times over. Milliseconds.
 */
const DEFAULT_LIMIT_MS = 2_000;
/** What a batch waits after one of which nothing came back in time: a symbolicator that hangs must not hold up each of them. */
const SHORT_LIMIT_MS = 100;
/** Of the event loop, before commits and messages get a turn. */
const TURN_MS = 3;
const MAX_KNOWN_PROJECTS = 10_000;

export interface EventMapperOptions {
  symbolicator: Pick<Symbolicator, "symbolicate">;
  artifacts: Pick<ArtifactStore, "artifactVersion" | "listArtifactBundles">;
  limitMs?: number;
}

/** Maps the events of batches to their sources. Whatever becomes of the symbolicator, every event comes back. */
export class EventMapper {
  readonly #options: EventMapperOptions;
  readonly #limitMs: number;
  #isStuck = false;
  #version: number | null = null;
  /** By project: whether it has uploads. */
  readonly #uploads = new Map<number, boolean>();

  constructor(options: EventMapperOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
  }

  /** To be called before the records of a batch are looked at: uploads that come later are those of the next batch. */
  async begin(): Promise<BatchMapping> {
    const version = await this.#options.artifacts.artifactVersion();
    if (version !== this.#version || this.#uploads.size > MAX_KNOWN_PROJECTS) this.#uploads.clear();
    this.#version = version;
    return new BatchMapping({
      hasUploads: (projectId) => this.#uploads.get(projectId) ?? true,
      limitMs: this.#isStuck ? Math.min(SHORT_LIMIT_MS, this.#limitMs) : this.#limitMs,
      map: (unmapped, limitMs) => this.#map(unmapped, limitMs),
      onEnd: (isStuck) => {
        this.#isStuck = isStuck;
      },
    });
  }

  async #map({ arrived, event }: UnmappedEvent, limitMs: number): Promise<MappedEvent | null> {
    const { projectId } = arrived.entry;
    if (!(await this.#asksUploads(projectId))) return null;
    const result = await this.#options.symbolicator.symbolicate(event, { projectId, limitMs });
    if (result.report.failure === null) return result;
    return { event: result.event, wanted: [...result.wanted, ...listUnreadMaps(result.report)], isLate: true };
  }

  async #asksUploads(projectId: number): Promise<boolean> {
    const known = this.#uploads.get(projectId);
    if (known !== undefined) return known;
    const { bundles } = await this.#options.artifacts.listArtifactBundles({ projectId, cursor: null, limit: 1 });
    this.#uploads.set(projectId, bundles.length > 0);
    return bundles.length > 0;
  }
}

interface BatchMappingOptions {
  hasUploads: HasUploads;
  limitMs: number;
  /** Resolves within the limit; null: the project has no uploads. Rejects when a store fails, and never for what the event is. */
  map(unmapped: UnmappedEvent, limitMs: number): Promise<MappedEvent | null>;
  /** Of a batch that had something to map: whether nothing of it was. */
  onEnd(isStuck: boolean): void;
}

/** The events of one batch that wait for their maps. They are mapped while the batch's other records are digested. */
export class BatchMapping {
  readonly hasUploads: HasUploads;
  readonly #options: BatchMappingOptions;
  readonly #waiting: Array<{ unmapped: UnmappedEvent; mapping: Promise<MappedEvent | null> }> = [];
  #endsAt: number | null = null;

  constructor(options: BatchMappingOptions) {
    this.#options = options;
    this.hasUploads = options.hasUploads;
  }

  /** Begins with what records have left in `unmapped`. */
  take(digested: Digested): void {
    for (const unmapped of digested.unmapped.splice(0)) {
      // All of them end at one time: the limit is the batch's, not the event's.
      this.#endsAt ??= performance.now() + this.#options.limitMs;
      const mapping = this.#options.map(unmapped, Math.max(1, this.#endsAt - performance.now()));
      mapping.catch(() => {});
      this.#waiting.push({ unmapped, mapping });
    }
  }

  /** Waits for what was begun, at most until the limit, and puts the events where they belong. */
  async finish(digested: Digested): Promise<void> {
    if (this.#waiting.length === 0) return;
    const finished: Array<{ place: number; event: DigestedEvent }> = [];
    let isStuck = true;
    let turnEndsAt = performance.now() + TURN_MS;
    for (const { unmapped, mapping } of this.#waiting) {
      const mapped = await mapping;
      if (!mapped?.isLate) isStuck = false;
      try {
        const event = finishEvent(unmapped, mapped ?? symbolicateWithoutUploads(unmapped.event));
        finished.push({ place: unmapped.place, event });
      } catch (error) {
        setAsideItem(unmapped.arrived, digested, error);
      }
      if (performance.now() > turnEndsAt) {
        await setImmediate();
        turnEndsAt = performance.now() + TURN_MS;
      }
    }
    this.#options.onEnd(isStuck);
    digested.events = interleave(digested.events, finished);
  }
}

function interleave(
  events: readonly DigestedEvent[],
  finished: ReadonlyArray<{ place: number; event: DigestedEvent }>,
): DigestedEvent[] {
  const merged: DigestedEvent[] = [];
  let next = 0;
  for (let place = 0; place <= events.length; place++) {
    for (let one = finished[next]; one !== undefined && one.place <= place; one = finished[next]) {
      merged.push(one.event);
      next++;
    }
    const event = events[place];
    if (event !== undefined) merged.push(event);
  }
  return merged;
}
