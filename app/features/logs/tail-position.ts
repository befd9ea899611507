/** How far a live tail has come: what its reader asks for again after a lost connection. */
export interface TailPosition {
  /** Of the first journal. */
  journalId: string;
  /** Every line of the records of each journal below its sequence was given. */
  sequences: readonly number[];
  /** When; milliseconds since 1970. */
  at: number;
}

export function printTailPosition({ journalId, sequences, at }: TailPosition): string {
  return `${journalId}.${sequences.join("-")}.${at}`;
}

/** Null: the text is not a position. */
export function readTailPosition(text: string | null): TailPosition | null {
  const [, journalId, sequences = "", at] =
    /^([0-9a-f]{1,64})\.(\d{1,15}(?:-\d{1,15})?)\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return journalId === undefined ? null : { journalId, sequences: sequences.split("-").map(Number), at: Number(at) };
}
