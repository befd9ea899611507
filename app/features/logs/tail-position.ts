/** The position of a live tail. The reader sends it after a lost connection. */
export interface TailPosition {
  /** The id of the first journal. */
  journalId: string;
  /** The tail has sent every line of each journal's records below its sequence. */
  sequences: readonly number[];
  /** When the position was taken, in milliseconds since 1970. */
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
