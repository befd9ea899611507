import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Condition, FieldTest } from "../../domain/search/condition.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import type { EventFilter } from "../events/error-events.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { OrdinalRange } from "./event-tags.ts";
import { hasBit, MASK_BYTES, setBits, toMask } from "./place-mask.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { isOfIssues, isSummed, listTagTests } from "./summed-tests.ts";
import { TestMaskReader, type TestMasks } from "./test-masks.ts";

// Finds issues with a matching event without reading events. A test of a tag gives one bit for each place of a piece of events, and
// conditions combine these masks. The events of an issue have neighbouring places: an issue matches if one of their bits is set.

/** The result of a search in summed events. */
export interface SummedIssues {
  /** The issues with a matching event, each with the time of the latest event of its newest piece with a match. */
  found: Map<number, number>;
  /** Ranges in which the events themselves must be read. */
  unknown: OrdinalRange[];
}

/** With more pieces, events are read instead. Small pieces of quiet times are joined later. */
const MAX_PIECES = 1_000;
/** The issues of all pieces together: 40 bytes each. With more, events are read instead. */
const MAX_ISSUES = 400_000;
/** Issues that are kept in memory: some 8 MB. */
const KEPT_ISSUES = 200_000;
/** Issues that are tested in one go, a few milliseconds. */
const ISSUES_AT_ONCE = 20_000;
/** With more ranges, the smallest gaps between them are read, too. */
const MAX_RANGES = 4;

interface Piece extends OrdinalRange {
  version: number;
  issues: number;
  isStale: boolean;
}

/** The issues of a piece, in the order of their places. */
interface PieceIssues {
  version: number;
  projectIds: Float64Array;
  issueIds: Float64Array;
  environments: Array<string | null>;
  firstPlaces: Uint32Array;
  counts: Uint32Array;
  firstAt: Float64Array;
  lastAt: Float64Array;
}

export class SummedIssueFinder {
  readonly #database: DuckdbDatabase;
  readonly #masks: TestMaskReader;
  readonly #kept = new LRUCache<number, PieceIssues>({
    maxSize: KEPT_ISSUES,
    sizeCalculation: ({ issueIds }) => Math.max(1, issueIds.length),
  });

  constructor(database: DuckdbDatabase) {
    this.#database = database;
    this.#masks = new TestMaskReader(database);
  }

  /**
   * Null: the sums cannot answer some part of the filter.
   *
   * @param range events whose tags are summed. The oldest piece is searched as a whole, also its events before the range: that takes less
   * than reading the others one by one.
   */
  async find(filter: EventFilter, range: OrdinalRange): Promise<SummedIssues | null> {
    const { where } = filter;
    const others = [filter.issueId, filter.tags, filter.anyOfTags, filter.traceId, filter.words, filter.issueIds];
    if (where === undefined || others.some((other) => other !== undefined) || !isSummed(where)) return null;
    const pieces = await this.#readPieces(range);
    if (pieces.length > MAX_PIECES || pieces.reduce((sum, { issues }) => sum + issues, 0) > MAX_ISSUES) return null;
    const isUnknown = (piece: Piece) => piece.isStale || piece.to > range.to;
    const known = pieces.filter((piece) => !isUnknown(piece)).reverse();
    const [issues, masks] = await Promise.all([
      this.#readIssues(known),
      this.#masks.read(listTagTests(where), filter.projectIds, known),
    ]);
    const found = new Map<number, number>();
    const unknown = pieces.filter(isUnknown);
    const open = new Map<number, Piece[]>();
    let looked = 0;
    for (const piece of known) {
      const ofPiece = issues.get(piece.to);
      const isCurrent = ofPiece?.version === piece.version && !masks.changed.has(piece.to);
      // The piece was summed again meanwhile.
      if (!ofPiece || !isCurrent) unknown.push(piece);
      else
        findInPiece(ofPiece, {
          filter,
          where,
          masks: masks.bits,
          chunk: piece.to,
          found,
          note: (id) => noteOpen(open, id, piece),
        });
      looked += piece.issues;
      if (looked < ISSUES_AT_ONCE) continue;
      looked = 0;
      await nextTurn();
    }
    for (const [issueId, ofIssue] of open) if (!found.has(issueId)) unknown.push(...ofIssue);
    return { found, unknown: joinRanges([...new Set(unknown)], range) };
  }

  async #readPieces({ from, to }: OrdinalRange): Promise<Piece[]> {
    const rows = await this.#database.read(
      `SELECT start::DOUBLE AS start, chunk::DOUBLE AS chunk, version::DOUBLE AS version, issues::DOUBLE AS issues,
         stale_since IS NOT NULL AS is_stale
       FROM event_pieces WHERE chunk > $1 AND start < $2 ORDER BY chunk`,
      [from, to],
    );
    return rows.map((row) => ({
      from: Number(row.start),
      to: Number(row.chunk),
      version: Number(row.version),
      issues: Number(row.issues),
      isStale: row.is_stale === true,
    }));
  }

  /** The issues of pieces, by the chunk of each piece. */
  async #readIssues(pieces: readonly Piece[]): Promise<Map<number, PieceIssues>> {
    const issues = new Map<number, PieceIssues>();
    const missing: number[] = [];
    for (const { to, version } of pieces) {
      const kept = this.#kept.get(to);
      if (kept?.version === version) issues.set(to, kept);
      else missing.push(to);
    }
    if (missing.length === 0) return issues;
    const conditions = new SqlConditions();
    const columns = await this.#database.readColumns(
      `SELECT chunk::DOUBLE, version::DOUBLE, project_id::DOUBLE, issue_id::DOUBLE, environment, first_place::DOUBLE, events::DOUBLE,
         first_at::DOUBLE, last_at::DOUBLE
       FROM event_issues WHERE chunk IN ${conditions.bindNumbers(missing)} ORDER BY chunk, first_place`,
      conditions.values,
    );
    const [chunks = [], versions = [], ...others] = columns;
    for (let from = 0; from < chunks.length; ) {
      const chunk = chunks[from] as number;
      let to = from;
      while (to < chunks.length && chunks[to] === chunk) to++;
      const cut = (index: number) => (others[index] ?? []).slice(from, to);
      const ofPiece: PieceIssues = {
        version: versions[from] as number,
        projectIds: Float64Array.from(cut(0) as number[]),
        issueIds: Float64Array.from(cut(1) as number[]),
        environments: cut(2) as Array<string | null>,
        firstPlaces: Uint32Array.from(cut(3) as number[]),
        counts: Uint32Array.from(cut(4) as number[]),
        firstAt: Float64Array.from(cut(5) as number[]),
        lastAt: Float64Array.from(cut(6) as number[]),
      };
      issues.set(chunk, ofPiece);
      this.#kept.set(chunk, ofPiece);
      from = to;
    }
    return issues;
  }
}

function noteOpen(open: Map<number, Piece[]>, issueId: number, piece: Piece): void {
  const known = open.get(issueId);
  if (known) known.push(piece);
  else open.set(issueId, [piece]);
}

function findInPiece(
  issues: PieceIssues,
  {
    filter,
    where,
    masks,
    chunk,
    found,
    note,
  }: {
    filter: EventFilter;
    where: Condition;
    masks: TestMasks["bits"];
    chunk: number;
    found: Map<number, number>;
    /** Called with an issue that matches, but has events outside of the filter's time: perhaps only those match. */
    note: (issueId: number) => void;
  },
): void {
  const { projectIds, environments } = filter;
  const from = filter.from ?? Number.NEGATIVE_INFINITY;
  const to = filter.to ?? Number.POSITIVE_INFINITY;
  const mask = toMask(where, (test) => masks.get(test)?.get(chunk) ?? maskOfIssues(issues, test));
  const scope = new Set<number>(projectIds);
  const places = environments?.length ? new Set<string | null>(environments) : null;
  for (let index = 0; index < issues.issueIds.length; index++) {
    const issueId = issues.issueIds[index] as number;
    const [firstAt, lastAt] = [issues.firstAt[index] as number, issues.lastAt[index] as number];
    if (found.has(issueId) || lastAt < from || firstAt >= to || !scope.has(issues.projectIds[index] as number))
      continue;
    if (places && !places.has(issues.environments[index] as string | null)) continue;
    const first = issues.firstPlaces[index] as number;
    if (!hasBit(mask, first, first + (issues.counts[index] as number))) continue;
    if (firstAt >= from && lastAt < to) found.set(issueId, lastAt);
    else note(issueId);
  }
}

const NOTHING = new Uint8Array(MASK_BYTES);

/** The places of issues that pass a test of their issue, project or environment, as if it were not negated. For other tests none. */
function maskOfIssues(
  { environments, issueIds, projectIds, firstPlaces, counts }: PieceIssues,
  test: FieldTest,
): Uint8Array {
  if (!isOfIssues(test)) return NOTHING;
  const mask = new Uint8Array(MASK_BYTES);
  for (let index = 0; index < issueIds.length; index++) {
    const value =
      test.field === "issueId" ? issueIds[index] : test.field === "projectId" ? projectIds[index] : environments[index];
    const row = {
      field: () => value ?? null,
      tag: () => (value === undefined ? null : (value as string | null)),
      tagValues: () => [],
    };
    if (!matchesCondition({ ...test, isNegated: false }, row)) continue;
    const first = firstPlaces[index] as number;
    setBits(mask, first, first + (counts[index] as number));
  }
  return mask;
}

/** Joins neighbouring ranges, and then the nearest ones until there are few enough. The result is within the bounds. */
function joinRanges(ranges: readonly OrdinalRange[], bounds: OrdinalRange): OrdinalRange[] {
  const joined: OrdinalRange[] = [];
  for (const piece of ranges.toSorted((a, b) => a.from - b.from)) {
    const [from, to] = [Math.max(piece.from, bounds.from), Math.min(piece.to, bounds.to)];
    const last = joined.at(-1);
    if (last !== undefined && last.to === from) last.to = to;
    else joined.push({ from, to });
  }
  while (joined.length > MAX_RANGES) {
    const gaps = joined.slice(1).map(({ from }, index) => from - (joined[index] as OrdinalRange).to);
    const index = gaps.indexOf(Math.min(...gaps));
    const [before, behind] = joined.splice(index, 2) as [OrdinalRange, OrdinalRange];
    joined.splice(index, 0, { from: before.from, to: behind.to });
  }
  return joined;
}
