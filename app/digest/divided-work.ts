import type { JournalRecord } from "../journal/journal.ts";
import type { Digested } from "./digested.ts";
import type { DigestHelper } from "./helper-thread.ts";

/** Some milliseconds of work: what is done twice at the end, in the worst case. */
const RECORDS_PER_PIECE = 24;
const MAX_PIECE_BYTES = 512 * 1024;
/** One to work on, and one so that it need not wait for the next. */
const PIECES_IN_FLIGHT = 2;
/** Without an answer for so long, the helper has no core to itself: what it was given is done without it. */
const PATIENCE_MS = 20;

/** How many records a helper was given, and what became of them. */
export interface WorkDivision {
  given: number;
  /** Came back in time, digested or not. */
  back: number;
  /** Of these, not digested: they have to be looked into here. */
  left: number;
}

/**
 * The records of a batch, divided between who digests them here, from the front, and a helper, from the back. Every record
 * is given to `next` or `rest`, or is part of what the helper brought: which one depends on who is faster, and the facts do not.
 */
export class DividedWork {
  readonly #pieces: JournalRecord[][];
  readonly #helper: DigestHelper | null;
  readonly #projectsWithoutUploads: number[] | null;
  readonly #given = new Map<number, JournalRecord[]>();
  readonly #results: Digested[] = [];
  readonly #left: JournalRecord[] = [];
  #front = 0;
  #back: number;
  readonly #division: WorkDivision = { given: 0, back: 0, left: 0 };

  constructor(
    records: readonly JournalRecord[],
    { helper, projectsWithoutUploads }: { helper: DigestHelper | null; projectsWithoutUploads: number[] | null },
  ) {
    this.#pieces = cut(records);
    this.#back = this.#pieces.length;
    this.#helper = helper;
    this.#projectsWithoutUploads = projectsWithoutUploads;
  }

  /** The next records to digest here; null when the others are done or with the helper. */
  next(): readonly JournalRecord[] | null {
    this.#collect();
    this.#feed();
    return this.#front < this.#back ? (this.#pieces[this.#front++] as JournalRecord[]) : null;
  }

  /** Waits for the helper as long as it is worth it. Gives what is still to be digested here. */
  async rest(): Promise<readonly JournalRecord[]> {
    while (this.#given.size > 0) {
      const before = this.#given.size;
      await this.#helper?.whenBack(PATIENCE_MS);
      this.#collect();
      if (this.#given.size === before) break;
    }
    return [...this.#left, ...[...this.#given.values()].flat()];
  }

  /** Adds what the helper brought; everything is in the order of the journal afterwards. */
  mergeInto(digested: Digested): void {
    if (this.#division.given === 0) return;
    for (const { events, items, outcomes, setAside } of this.#results) {
      digested.events.push(...events);
      digested.items.push(...items);
      digested.outcomes.push(...outcomes);
      digested.setAside.push(...setAside);
    }
    // Stable: what is of one record keeps its order.
    digested.events.sort((a, b) => a.row.sequence - b.row.sequence);
    digested.items.sort((a, b) => a.row.sequence - b.row.sequence);
    digested.outcomes.sort((a, b) => a.sequence - b.sequence);
    digested.setAside.sort((a, b) => a.sequence - b.sequence);
  }

  get division(): Readonly<WorkDivision> {
    return this.#division;
  }

  #feed(): void {
    if (this.#helper === null) return;
    // The last piece is begun here: who is already awake comes to its end first.
    while (this.#helper.inFlight < PIECES_IN_FLIGHT && this.#back - this.#front > 1) {
      const piece = this.#pieces[this.#back - 1] as JournalRecord[];
      if (piece.length === 1 && (piece[0] as JournalRecord).bytes.length > MAX_PIECE_BYTES) return;
      this.#back--;
      this.#given.set(this.#helper.give(piece, this.#projectsWithoutUploads), piece);
      this.#division.given += piece.length;
    }
  }

  #collect(): void {
    for (const { id, digested, left } of this.#helper?.collect() ?? []) {
      const piece = this.#given.get(id);
      // Of an earlier batch, in which nobody waited for it any more.
      if (piece === undefined) continue;
      this.#given.delete(id);
      this.#results.push(digested);
      this.#division.back += piece.length;
      this.#division.left += left.length;
      const sequences = new Set(left);
      if (sequences.size > 0) this.#left.push(...piece.filter(({ sequence }) => sequences.has(sequence)));
    }
  }
}

function cut(records: readonly JournalRecord[]): JournalRecord[][] {
  const pieces: JournalRecord[][] = [];
  let piece: JournalRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    if (piece.length >= RECORDS_PER_PIECE || (piece.length > 0 && bytes + record.bytes.length > MAX_PIECE_BYTES)) {
      pieces.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(record);
    bytes += record.bytes.length;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}
