/** How far a live tail has come: what its reader asks for again after a lost connection. */
export interface TailPosition {
  journalId: string;
  /** Every line of the records below it was given. */
  sequence: number;
  /** When; milliseconds since 1970. */
  at: number;
}

export function printTailPosition({ journalId, sequence, at }: TailPosition): string {
  return `${journalId}.${sequence}.${at}`;
}

/** Null: the text is not a position. */
export function readTailPosition(text: string | null): TailPosition | null {
  const [, journalId, sequence, at] = /^([0-9a-f]{1,64})\.(\d{1,15})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return journalId === undefined ? null : { journalId, sequence: Number(sequence), at: Number(at) };
}
