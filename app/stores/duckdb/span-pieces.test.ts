import { expect, test } from "vitest";
import { makeScope } from "../../domain/scope.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestEventDatabase } from "./fixtures/open-test-database.ts";
import { SpanPieces } from "./span-pieces.ts";

const PIECES = 40;

test("says of each piece what its sums say, in any time, also after some are deleted or new", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestEventDatabase(files);
  const rollUp = { deletions: 0, endOf: () => PIECES * 100 };
  const pieces = new SpanPieces(database, rollUp);
  // Each piece has its own ten minutes, which it shares with the next ones, and some have one of long before.
  const add = (from: number, to: number) =>
    database.write((connection) =>
      connection.run(
        `INSERT INTO span_minutes BY NAME SELECT (piece + 1) * 100 AS chunk, 1 + piece * row % 3 AS project_id, 'span' AS category, piece // 10 AS received_day,
           if(row = 7 AND piece % 9 = 0, 3, piece * 4 + row) AS minute, false AS is_segment, 1 + piece * row % 7 AS spans, 1 AS weight, 0 AS total_us,
           [] AS buckets, [] AS weights
         FROM range(${from}, ${to}) AS pieces(piece), range(0, 10) AS rows(row)`,
      ),
    );
  await add(0, PIECES);
  const compare = async (projects: number[], from: number, to: number, upTo: number) => {
    const { projectIds } = makeScope({ organizationId: 1, projectIds: projects, rights: [] });
    const listed = await pieces.list({ projectIds, from: from * MINUTE_MS, to: to * MINUTE_MS }, upTo);
    const rows = await database.read(
      `SELECT chunk::DOUBLE AS "upTo", max(received_day)::DOUBLE AS day, coalesce(sum(spans) FILTER (project_id IN (${projects})), 0)::DOUBLE AS own,
         sum(spans)::DOUBLE AS passed
       FROM span_minutes WHERE chunk <= ${upTo} AND minute >= ${from} AND minute < ${to} GROUP BY chunk ORDER BY chunk DESC`,
    );
    expect(listed).toEqual(rows);
    const time = { from: from * MINUTE_MS, to: to * MINUTE_MS };
    const exact = listed.reduce((sum, { own }) => sum + own, 0);
    expect(await pieces.countAtMost({ projectIds }, [time], upTo)).toBeGreaterThanOrEqual(exact);
    return listed.length;
  };
  const compareAll = async (upTo: number) => {
    let count = 0;
    for (const projects of [[1], [2, 3], [9]])
      for (const [from, to] of [
        [0, 1_000],
        [4, 60],
        [51, 52],
        [3, 4],
        [100, 1_000],
        [900, 1_000],
      ] as const)
        count += await compare(projects, from, to, upTo);
    return count;
  };
  expect(await compareAll(20 * 100)).toBeGreaterThan(100);
  expect(await compareAll(PIECES * 100)).toBeGreaterThan(200);
  await add(PIECES, PIECES + 3);
  await compareAll((PIECES + 3) * 100);
  await database.write((connection) => connection.run("DELETE FROM span_minutes WHERE project_id = 2 OR chunk <= 500"));
  rollUp.deletions++;
  await compareAll((PIECES + 3) * 100);
  await database.close();
});
