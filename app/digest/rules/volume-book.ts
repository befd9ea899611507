import { MAX_EXAMPLE_CHARS } from "../../domain/filters/filtered-example.ts";
import type { IssueOccurrence } from "../../domain/issues/occurrence.ts";
import { storesEverything, type VolumeSettings } from "../../domain/volume/volume-settings.ts";
import type { SequencedOutcome } from "../../signals/digested.ts";
import type { BatchVolume } from "../../stores/state/batch-store.ts";
import type { RuleIndex } from "../../stores/state/rule-store.ts";
import type { MappedItem } from "../mapped-batch.ts";
import { ExampleTimes } from "./example-times.ts";

/** The volume settings of projects, as the commit needs them. They are read once for each change. */
export class VolumeBook {
  readonly #index: RuleIndex;
  #version: number | null = null;
  #settings: ReadonlyMap<number, VolumeSettings> = new Map();
  readonly #exampleTimes = new ExampleTimes();

  constructor(index: RuleIndex) {
    this.#index = index;
  }

  /** The settings for a batch with these items. Null: all of them are stored. */
  async ask(occurring: readonly MappedItem[]): Promise<BatchVolume | null> {
    const version = await this.#index.version();
    if (version !== this.#version) {
      this.#settings = new Map(
        [...(await this.#index.listRules())].flatMap(([projectId, { volume }]) =>
          storesEverything(volume) ? [] : [[projectId, volume]],
        ),
      );
      this.#version = version;
    }
    const settings = this.#settings;
    if (settings.size === 0) return null;
    const items = new Map<IssueOccurrence, MappedItem>();
    for (const item of occurring) {
      const { projectId, occurrence } = item;
      if (occurrence !== undefined && settings.has(projectId) && isBounded(item)) items.set(occurrence, item);
    }
    if (items.size === 0) return null;
    return {
      settings,
      occurrences: new Set(items.keys()),
      toExample: (occurrence, reason) => {
        const payload = items.get(occurrence)?.payload ?? null;
        const { projectId, receivedAt, title } = occurrence;
        if (payload === null || payload.length > MAX_EXAMPLE_CHARS) return null;
        if (!this.#exampleTimes.isDue({ projectId, reason, receivedAt })) return null;
        return { title, payload: Buffer.from(payload).toString("utf8") };
      },
    };
  }
}

/** Whether the rules for volume apply: to errors and security reports, at most one item per envelope. Feedback is always stored. */
function isBounded({ identity, occurrence, outcome: { category } }: MappedItem): boolean {
  return (category === "error" || category === "security") && identity === occurrence?.eventId;
}

/** Outcomes that say with which event of their record they go. */
export function withEvents(
  outcomes: readonly SequencedOutcome[],
  occurring: readonly MappedItem[],
  fresh: readonly MappedItem[],
): SequencedOutcome[] {
  const eventOfRecord = new Map(
    occurring.filter(isBounded).map(({ sequence, identity, outcome }) => [sequence, { identity, outcome }]),
  );
  const eventOf = new Map<SequencedOutcome, string>();
  for (const { sequence, dependsOnEvent, outcome } of fresh) {
    const event = eventOfRecord.get(sequence);
    if (event?.identity && (dependsOnEvent || outcome === event.outcome)) eventOf.set(outcome, event.identity);
  }
  return outcomes.map((outcome) => {
    const ofEvent = eventOf.get(outcome);
    return ofEvent === undefined ? outcome : { ...outcome, ofEvent };
  });
}
