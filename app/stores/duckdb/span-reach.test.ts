import { expect, test } from "vitest";
import { makeScope } from "../../domain/scope.ts";
import { ALWAYS } from "../../domain/search/condition.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestEventDatabase } from "./fixtures/open-test-database.ts";
import { SpanPieces } from "./span-pieces.ts";
import { findSpanReach } from "./span-reach.ts";

/** Pieces of this many rows, one for each minute from the begin of 1970 on. */
const PIECE = 10;
const LIMITS = { most: 20, mostPassed: 60 };

test("counts the rows of the projects that are searched, and fewer of others", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestEventDatabase(files);
  await database.write(async (connection) => {
    // Ten pieces; of each, project 2 has one row and project 1 the others. Five rows are not summed yet.
    await connection.run(
      `INSERT INTO spans BY NAME SELECT range AS ordinal, 0 AS sequence, if(range % ${PIECE} = 0, 2, 1) AS project_id, range * 6000 AS received_at,
         'span' AS category, 'v2' AS form, uuid() AS trace_id, 1 AS span_id, false AS is_segment, range * 6000000 AS started_us, 1 AS duration_us
       FROM range(0, ${10 * PIECE + 5})`,
    );
    await connection.run(
      `INSERT INTO span_minutes BY NAME SELECT (range + 1) * ${PIECE} AS chunk, project_id, 'span' AS category, 0 AS received_day, range AS minute,
         false AS is_segment, spans, spans AS weight, 0 AS total_us, [] AS buckets, [] AS weights
       FROM range(0, 10), (VALUES (1, ${PIECE - 1}), (2, 1)) AS shares(project_id, spans)`,
    );
  });
  const rollUp = { deletions: 0, endOf: () => 10 * PIECE + 5 };
  let pieces = new SpanPieces(database, rollUp);
  const find = async (projects: number[], limits = LIMITS, from = 0, beforeOrdinal?: number) => {
    const { projectIds } = makeScope({ organizationId: 1, projectIds: projects, rights: [] });
    const filter = { projectIds, from, to: HOUR_MS, where: ALWAYS, ...(beforeOrdinal ? { beforeOrdinal } : {}) };
    return await findSpanReach(database, pieces, 10 * PIECE, filter, [], limits);
  };
  // 5 that are not summed and 9 of the last piece; 9 more would be too many.
  expect(await find([1])).toEqual({
    firstOrdinal: 90,
    searchedFrom: 540_000,
    progress: { searched: 14, spans: 95, next: 90 },
  });
  // The quiet one goes back until too many others lie between.
  expect(await find([2])).toEqual({
    firstOrdinal: 50,
    searchedFrom: 300_000,
    progress: { searched: 10, spans: 15, next: 50 },
  });
  expect(await find([2], { ...LIMITS, mostPassed: 1_000 })).toEqual({ firstOrdinal: null, searchedFrom: null });
  // Only what began in the time of the search counts.
  expect(await find([1], LIMITS, 9 * 60_000)).toEqual({ firstOrdinal: null, searchedFrom: null });
  expect(await find([1], { most: 3, mostPassed: 60 })).toEqual({
    firstOrdinal: 102,
    searchedFrom: 612_000,
    progress: { searched: 3, spans: 95, next: 102 },
  });
  // It goes on piece by piece, until nothing is left.
  const steps: number[] = [];
  for (let next: number | undefined; steps.length < 20; ) {
    const { firstOrdinal, progress } = await find([1], LIMITS, 0, next);
    if (firstOrdinal === null || !progress) break;
    steps.push(firstOrdinal);
    next = progress.next;
    expect(progress).toMatchObject({ spans: 95, searched: 5 + (9 * (100 - firstOrdinal)) / 10 });
  }
  expect(steps).toEqual([90, 70, 50, 30, 10]);
  expect(await find([1], { most: 3, mostPassed: 60 }, 0, 102)).toMatchObject({
    firstOrdinal: 100,
    progress: { searched: 5 },
  });
  // The oldest five pieces came on the day after: what was turned or rebuilt later stands before them, and they are not read: nothing is searched whole.
  await database.write((connection) =>
    connection.run(`UPDATE span_minutes SET received_day = 1 WHERE chunk <= ${5 * PIECE}`),
  );
  pieces = new SpanPieces(database, rollUp);
  expect(await find([1])).toMatchObject({ firstOrdinal: 90, searchedFrom: HOUR_MS });
  await database.close();
});
