import { LRUCache } from "lru-cache";
import { createInTurn } from "../../domain/in-turn.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { SpanSearchFilter } from "../events/span-search.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { RollUp } from "./roll-up.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** The spans that a piece of the sums has in a range of time. */
export interface SpanPiece {
  /** All its rows have lower ordinals, and the rows of earlier pieces even lower ones. */
  upTo: number;
  /** The last day on which its rows arrived, since 1970. */
  day: number;
  /** Spans of the requested projects. */
  own: number;
  /** Spans of all projects. */
  passed: number;
}

/** A whole piece. */
interface HeldPiece {
  upTo: number;
  day: number;
  /** The minutes in which its first and last spans began, since 1970. */
  first: number;
  last: number;
  spans: number;
  spansOf: Map<number, number>;
}

/** Entries that are held, one for each project in a piece: some 100 bytes each. */
const MAX_HELD = 100_000;
/** With more pieces, a statement that names them is as slow as one that reads all. */
const MAX_NAMED_PIECES = 100;
const MAX_TIMES = 1_000;

type Database = Pick<DuckdbDatabase, "read">;

/**
 * Caches the pieces in which spans are summed: a sum is never changed, and 10,000,000 spans have 3,300,000 sums by the minute. Adding them
 * up for each search would take 80 ms.
 */
export class SpanPieces {
  readonly #database: Database;
  readonly #rollUp: Pick<RollUp, "deletions" | "endOf">;
  /** Oldest first. Null: there are too many. */
  #held: HeldPiece[] | null = [];
  #deletions: number;
  readonly #inTurn = createInTurn();
  readonly #times = new LRUCache<number, { at: number | null }>({ max: MAX_TIMES });

  constructor(database: Database, rollUp: Pick<RollUp, "deletions" | "endOf">) {
    this.#database = database;
    this.#rollUp = rollUp;
    this.#deletions = rollUp.deletions;
  }

  /**
   * Every span has a lower ordinal. It is not read from the table: after deletions, DuckDB reads all rows to find the last one, 18 ms for
   * 2,000,000.
   */
  get end(): number {
    return this.#rollUp.endOf("spans");
  }

  /** The pieces up to an ordinal, newest first. */
  async list(filter: Pick<SpanSearchFilter, "projectIds" | "from" | "to">, upTo: number): Promise<SpanPiece[]> {
    const [from, to] = [Math.floor(filter.from / MINUTE_MS), Math.ceil(filter.to / MINUTE_MS)];
    const held = await this.#hold(upTo);
    if (held === null) return this.#read(filter.projectIds, { from, to, upTo });
    const within = held.filter((piece) => piece.upTo <= upTo && piece.last >= from && piece.first < to);
    const isPart = ({ first, last }: HeldPiece) => first < from || last >= to;
    const cut = within.filter(isPart).map((piece) => piece.upTo);
    if (cut.length > MAX_NAMED_PIECES) return this.#read(filter.projectIds, { from, to, upTo });
    const parts = cut.length === 0 ? [] : await this.#read(filter.projectIds, { from, to, upTo, pieces: cut });
    const whole = within
      .filter((piece) => !isPart(piece))
      .map(({ upTo, day, spans: passed, spansOf }) => {
        const own = filter.projectIds.reduce((sum, id) => sum + (spansOf.get(id) ?? 0), 0);
        return { upTo, day, own, passed };
      });
    return [...whole, ...parts].sort((one, other) => other.upTo - one.upTo);
  }

  /** An upper bound for the summed spans of the projects in these times: a piece that is partly in one of them counts as a whole. */
  async countAtMost(
    { projectIds }: Pick<SpanSearchFilter, "projectIds">,
    times: ReadonlyArray<{ from: number; to: number }>,
    upTo: number,
  ): Promise<number> {
    const held = await this.#hold(upTo);
    if (held === null) return Infinity;
    const minutes = times.map(({ from, to }) => [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)] as const);
    return held
      .filter(({ first, last }) => minutes.some(([from, to]) => last >= from && first < to))
      .reduce((sum, { spansOf }) => sum + projectIds.reduce((own, id) => own + (spansOf.get(id) ?? 0), 0), 0);
  }

  /** When the rows at an ordinal arrived, milliseconds since 1970; null: there are none. */
  async receivedAt(ordinal: number): Promise<number | null> {
    this.#forgetDeleted();
    const known = this.#times.get(ordinal);
    if (known) return known.at;
    const deletions = this.#rollUp.deletions;
    const [row] = await this.#database.read(
      "SELECT min(received_at)::DOUBLE AS at FROM spans WHERE ordinal >= $1 AND ordinal < $1 + 1000",
      [ordinal],
    );
    const at = typeof row?.at === "number" ? row.at : null;
    if (deletions === this.#rollUp.deletions) this.#times.set(ordinal, { at });
    return at;
  }

  /** The pieces up to an ordinal, and perhaps later ones. Calls run one after another. */
  #hold(upTo: number): Promise<readonly HeldPiece[] | null> {
    return this.#inTurn(() => this.#holdNext(upTo));
  }

  async #holdNext(upTo: number): Promise<readonly HeldPiece[] | null> {
    this.#forgetDeleted();
    const held = this.#held;
    if (held === null) return null;
    const known = held.at(-1)?.upTo ?? 0;
    if (known >= upTo) return held;
    const deletions = this.#rollUp.deletions;
    const rows = await this.#database.read(
      `SELECT chunk::DOUBLE AS up_to, project_id::DOUBLE AS project_id, max(received_day)::DOUBLE AS day, min(minute)::DOUBLE AS first,
         max(minute)::DOUBLE AS last, sum(spans)::DOUBLE AS spans
       FROM span_minutes WHERE chunk > $1 AND chunk <= $2 GROUP BY chunk, project_id ORDER BY chunk LIMIT ${MAX_HELD + 1}`,
      [known, upTo],
    );
    const pieces = toPieces(rows);
    // Some of the rows may be deleted by now. This result is as old as the call, and is not kept.
    if (deletions !== this.#rollUp.deletions) return [...held, ...pieces];
    const all = [...held, ...pieces];
    this.#held = all.reduce((sum, { spansOf }) => sum + spansOf.size, 0) > MAX_HELD ? null : all;
    return this.#held;
  }

  #forgetDeleted(): void {
    if (this.#deletions === this.#rollUp.deletions) return;
    this.#deletions = this.#rollUp.deletions;
    this.#held = [];
    this.#times.clear();
  }

  async #read(
    projectIds: readonly number[],
    { from, to, upTo, pieces }: { from: number; to: number; upTo: number; pieces?: readonly number[] },
  ): Promise<SpanPiece[]> {
    const conditions = new SqlConditions().addRange("minute", from, to);
    const isOwn = `project_id IN (${projectIds.map((id) => conditions.bind(id)).join(", ")})`;
    const isNamed = pieces === undefined ? "" : ` AND chunk IN (${pieces.join(", ")})`;
    const rows = await this.#database.read(
      `SELECT chunk::DOUBLE AS up_to, max(received_day)::DOUBLE AS day, coalesce(sum(spans) FILTER (${isOwn}), 0)::DOUBLE AS own, sum(spans)::DOUBLE AS passed
       FROM span_minutes WHERE chunk <= ${upTo}${isNamed} AND ${conditions} GROUP BY chunk ORDER BY chunk DESC`,
      conditions.values,
    );
    return rows.map((row) => ({
      upTo: Number(row.up_to),
      day: Number(row.day),
      own: Number(row.own),
      passed: Number(row.passed),
    }));
  }
}

/** @param rows one for each project in a piece, in the order of pieces */
function toPieces(rows: ReadonlyArray<Record<string, unknown>>): HeldPiece[] {
  const pieces: HeldPiece[] = [];
  for (const row of rows) {
    const [upTo, day, first, last, spans] = [row.up_to, row.day, row.first, row.last, row.spans].map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    let piece = pieces.at(-1);
    if (piece?.upTo !== upTo) {
      piece = { upTo, day, first, last, spans: 0, spansOf: new Map() };
      pieces.push(piece);
    }
    piece.day = Math.max(piece.day, day);
    piece.first = Math.min(piece.first, first);
    piece.last = Math.max(piece.last, last);
    piece.spans += spans;
    piece.spansOf.set(Number(row.project_id), spans);
  }
  return pieces;
}
