/** A journal as far as positions in it are told apart. A data folder has several (decision 097). */
export interface NumberedJournal {
  id: string;
  /** Sequence of its first record. No two records of a folder share a sequence. */
  firstSequence: number;
}

interface ApplyingStore {
  appliedSequence(journalId: string): Promise<number>;
}

/** A position of each journal, in their order: exclusive sequences. */
export type Positions = readonly number[];

/** The positions up to which the store has applied each journal. */
export function readPositions(store: ApplyingStore, journals: readonly NumberedJournal[]): Promise<Positions> {
  return Promise.all(
    journals.map(async ({ id, firstSequence }) => Math.max(firstSequence, await store.appliedSequence(id))),
  );
}

export function readEnds(journals: ReadonlyArray<{ durable: { sequence: number } }>): Positions {
  return journals.map(({ durable }) => durable.sequence);
}

/** Whether the store has applied everything below the positions. */
export async function isApplied(
  store: ApplyingStore,
  journals: readonly NumberedJournal[],
  positions: Positions,
): Promise<boolean> {
  return areBelow(positions, await readPositions(store, journals));
}

/** A run of sequences; `to` null: without an end. */
export interface SequenceRange {
  from: number;
  /** Exclusive. */
  to: number | null;
}

/** The records of each journal from its position on. Without a known position, from the first record on. */
export function toRangesFrom(journals: readonly NumberedJournal[], positions: Positions): SequenceRange[] {
  return journals.map(({ firstSequence }, at) => ({
    from: positions[at] ?? firstSequence,
    to: journals[at + 1]?.firstSequence ?? null,
  }));
}

/** The records of each journal between two positions. */
export function toRangesBetween(from: Positions, to: Positions): SequenceRange[] {
  return to.flatMap((end, at) => {
    const begin = from[at] ?? end;
    return begin < end ? [{ from: begin, to: end }] : [];
  });
}

/** The higher position of each journal. */
export function maxPositions(one: Positions, other: Positions): Positions {
  return one.map((sequence, at) => Math.max(sequence, other[at] ?? 0));
}

/** Whether each of the first is reached by the second. */
export function areBelow(wanted: Positions, reached: Positions): boolean {
  return wanted.every((sequence, at) => sequence <= (reached[at] ?? 0));
}
