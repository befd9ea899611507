import { expect, test } from "vitest";
import type { SqlRow } from "./duckdb-reader.ts";
import { type AskedSums, KeptSums } from "./kept-sums.ts";

const ASKED: AskedSums = {
  key: "a",
  range: { from: 600, to: 1_200 },
  bucketMinutes: 10,
  upTo: 100,
  sql: "SELECT 1",
  values: [],
};

function open({ rows = 3, max = 2 } = {}) {
  const log: string[] = [];
  const read = async (sql: string): Promise<SqlRow[]> => {
    log.push(sql.replace(/ AS SELECT 1$/, ""));
    if (sql.startsWith("CREATE") && rows < 0) throw new Error("Out of Memory Error: no room");
    return sql.includes("count(*)") ? [{ rows }] : [];
  };
  const rollUp = { deletions: 0 };
  const kept = new KeptSums({ read }, rollUp, { name: "kept", max, maxRows: 5 });
  const use = (change: Partial<AskedSums> = {}) => kept.use({ ...ASKED, ...change }, async (table) => table?.table);
  const of = (verb: string) => log.filter((sql) => sql.startsWith(verb)).length;
  return { kept, use, rollUp, of };
}

test("who asks a second time has a table made, which stays until much is new, the time is another or rows were deleted", async () => {
  const { use, rollUp, of } = open();
  expect(await use()).toBeUndefined();
  expect(await use()).toBe("kept_0");
  expect(await use({ upTo: 20_000, range: { from: 610, to: 1_210 } })).toBe("kept_0");
  expect(await use({ range: { from: 605, to: 1_205 } })).toBeUndefined();
  expect(await use({ range: { from: 590, to: 1_190 } })).toBe("kept_1");
  expect(await use({ upTo: 900_000 })).toBe("kept_2");
  rollUp.deletions++;
  expect(await use({ upTo: 900_000 })).toBe("kept_3");
  expect([of("CREATE"), of("DROP")]).toEqual([4, 3]);
});

test("two who ask at once have one table", async () => {
  const { use, of } = open();
  await use();
  expect(await Promise.all([use(), use()])).toEqual(["kept_0", "kept_0"]);
  expect(of("CREATE")).toBe(1);
});

test.each([
  ["too many rows", 6],
  ["no memory", -1],
])("with %s nothing is kept, and it is not tried again", async (_, rows) => {
  const { use, of } = open({ rows });
  for (let time = 0; time < 4; time++) expect(await use()).toBeUndefined();
  expect([of("CREATE"), of("DROP")]).toEqual([1, 1]);
});

test("a table that makes room for others is dropped when nobody reads it any more", async () => {
  const { kept, use, of } = open({ max: 1 });
  await use();
  const read = Promise.withResolvers<void>();
  const reading = kept.use(ASKED, () => read.promise);
  while (of("CREATE") === 0 || of("SELECT") === 0) await new Promise((wake) => setImmediate(wake));
  await use({ key: "b" });
  expect(await use({ key: "b" })).toBe("kept_1");
  expect(of("DROP")).toBe(0);
  read.resolve();
  await reading;
  expect(of("DROP")).toBe(1);
});
