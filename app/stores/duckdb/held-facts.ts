import { type EventFacts, FACTS_COLUMNS, type FactsColumn } from "./batch-facts.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { NumberColumn } from "./number-column.ts";
import type { NumberIndex } from "./number-index.ts";
import { type FactsRows, type KnownTexts, mapColumns, readFactsRows } from "./read-facts-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** A column of numbers, one for each event. */
export type FactsNumbers = Pick<NumberColumn, "at">;

/** The columns of an issue's events that its pages count. Events are in the order of (occurredAt, ordinal). */
export interface IssueFacts {
  readonly length: number;
  readonly ordinals: FactsNumbers;
  /** Milliseconds since 1970. */
  readonly occurredAt: FactsNumbers;
  /** Numbers of users, from 1, the same for all issues; 0 without a user. */
  readonly users: FactsNumbers;
  /** The greatest number of a user. */
  readonly userCount: number;
  readonly texts: Readonly<Record<FactsColumn, TextColumn>>;
}

/** A column of texts. Each different text is held once. */
export interface TextColumn {
  /** The index in `names` of each event's text. */
  readonly codes: FactsNumbers;
  readonly names: ReadonlyArray<string | null>;
}

/** The columns of one issue's events, up to the last row that was read. */
export class HeldFacts implements IssueFacts {
  readonly issueId: number;
  /** Rows with lower ordinals are held. */
  upTo = 0;
  readonly ordinals = new NumberColumn();
  readonly occurredAt = new NumberColumn();
  readonly users = new NumberColumn();
  readonly texts = mapColumns(() => new HeldTexts());
  byteLength = 0;
  readonly #userNumbers: NumberIndex;
  readonly #projectIds: readonly number[];
  #reading: Promise<void> | null = null;
  /** What `upTo` will be when the running read has ended. */
  #readingUpTo = 0;
  /** Rows that were written during the read. */
  #waiting: FactsRows[] = [];

  /** `userNumbers` is shared by all issues: most users have events in many of them. */
  constructor(issueId: number, projectIds: readonly number[], userNumbers: NumberIndex) {
    this.issueId = issueId;
    this.#userNumbers = userNumbers;
    this.#projectIds = projectIds;
  }

  get length(): number {
    return this.ordinals.length;
  }

  get userCount(): number {
    return this.#userNumbers.size;
  }

  /** Reads the next rows, at most one more than the limit. A call during a read waits for that read. */
  readMore(database: DuckdbDatabase, options: { upTo: number; known: KnownTexts; limit: number }): Promise<void> {
    if (this.#reading) return this.#reading;
    this.#readingUpTo = options.upTo;
    this.#reading = this.#read(database, options);
    return this.#reading;
  }

  /** Whether rows with ordinals from `from` on are the next ones that it needs. */
  isFollowedBy(from: number): boolean {
    return from === (this.#reading ? this.#readingUpTo : this.upTo);
  }

  /** Adds the next rows, which have ordinals from `from` on. `indexes`: the rows of this issue. */
  add(events: EventFacts, from: number, indexes: readonly number[]): void {
    const upTo = from + events.count;
    const own = indexes.filter((index) => this.#projectIds.includes(events.projectIds[index] as number));
    const rows: FactsRows = {
      ordinals: own.map((index) => from + index),
      occurredAt: pick(events.occurredAt, own),
      users: pick(events.userHashes, own),
      texts: mapColumns((column) => {
        const { names, codes } = events.texts[column];
        return { names, codes: pick(codes, own) };
      }),
    };
    if (this.#reading) {
      if (own.length > 0) this.#waiting.push(rows);
      this.#readingUpTo = upTo;
    } else {
      if (own.length > 0) this.#insert(rows);
      this.upTo = upTo;
    }
  }

  async #read(
    database: DuckdbDatabase,
    { upTo, known, limit }: { upTo: number; known: KnownTexts; limit: number },
  ): Promise<void> {
    try {
      const conditions = new SqlConditions()
        .addEqual("issue_id", this.issueId)
        .addProjects(this.#projectIds)
        .addRange("ordinal", this.upTo, upTo);
      this.#insert(await readFactsRows(database, conditions, { known, limit: limit + 1 - this.length }));
      for (const rows of this.#waiting) this.#insert(rows);
      this.upTo = this.#readingUpTo;
    } finally {
      // In the same tick as `upTo` changes: rows may wait only while a read will take them.
      this.#reading = null;
      this.#waiting = [];
    }
  }

  #insert({ ordinals, occurredAt, users, texts }: FactsRows): void {
    const order = sortRows(occurredAt, ordinals);
    const [atInOrder, ordinalsInOrder] = [pick(occurredAt, order), pick(ordinals, order)];
    const places = ordinalsInOrder.map((ordinal, index) => findFactsPlace(this, atInOrder[index] as number, ordinal));
    const numbers = pick(users, order).map((hash) => (hash < 0 ? 0 : this.#userNumbers.numberOf(hash)));
    for (const column of FACTS_COLUMNS) {
      this.texts[column].insert(places, pick(texts[column].codes, order), texts[column].names);
    }
    this.users.insert(places, numbers);
    this.ordinals.insert(places, ordinalsInOrder);
    this.occurredAt.insert(places, atInOrder);
    this.byteLength = [this.ordinals, this.occurredAt, this.users, ...Object.values(this.texts)].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }
}

/** A loop, because `from` and `map` with an iterator take five times as long, and there may be 100,000 values. */
function pick(values: ArrayLike<number>, indexes: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(indexes.length);
  for (let place = 0; place < picked.length; place++) picked[place] = values[indexes[place] as number] as number;
  return picked;
}

/** Indexes of the rows in the order of (occurredAt, ordinal). */
function sortRows(occurredAt: ArrayLike<number>, ordinals: ArrayLike<number>): number[] {
  const order = new Array<number>(ordinals.length);
  for (let index = 0; index < order.length; index++) order[index] = index;
  // Not a typed array: sorting one takes as long for rows that are nearly in order as for others.
  return order.sort(
    (a, b) =>
      (occurredAt[a] as number) - (occurredAt[b] as number) || (ordinals[a] as number) - (ordinals[b] as number),
  );
}

/** The place of the first event at or after a time and an ordinal: of the event itself, if it is held. */
export function findFactsPlace(
  { ordinals, occurredAt, length }: Pick<IssueFacts, "ordinals" | "occurredAt" | "length">,
  at: number,
  ordinal: number,
): number {
  const isBefore = (place: number) => {
    const difference = occurredAt.at(place) - at || ordinals.at(place) - ordinal;
    return difference < 0;
  };
  // Nearly always it is the newest event.
  if (length > 0 && isBefore(length - 1)) return length;
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The memory of a string of one-byte characters with its map entry. */
const TEXT_BYTES = 100;

class HeldTexts implements TextColumn {
  readonly codes = new NumberColumn();
  readonly names: Array<string | null> = [];
  readonly #codeByText = new Map<string | null, number>();
  #nameBytes = 0;

  get byteLength(): number {
    return this.codes.byteLength + this.#nameBytes;
  }

  /** `codes` are indexes in `names`, which may have other indexes in the column. */
  insert(places: ArrayLike<number>, codes: Float64Array, names: ReadonlyArray<string | null>): void {
    const own: number[] = [];
    this.codes.insert(
      places,
      codes.map((code) => (own[code] ??= this.#codeOf(names[code] ?? null))),
    );
  }

  #codeOf(text: string | null): number {
    let code = this.#codeByText.get(text);
    if (code === undefined) {
      code = this.names.push(text) - 1;
      this.#codeByText.set(text, code);
      this.#nameBytes += TEXT_BYTES + (text?.length ?? 0);
    }
    return code;
  }
}
