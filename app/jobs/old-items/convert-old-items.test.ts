import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openOldStores, readStoredRows, unpackOldFolder } from "../../../tests/support/old-data-folder.ts";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import { PART_TABLES, toItemKey } from "../../stores/events/row-keys.ts";
import { readLoggedTables, withoutMovedRows } from "../../stores/events/row-log.ts";
import type { PayloadStore } from "../../stores/payload-store.ts";
import { eraseFromEntry } from "../deletions/erase-events.ts";
import { rebuildEvents } from "../rebuild/rebuild-events.ts";
import { convertOldItems, type OldItemStores } from "./convert-old-items.ts";

const SPANS = `SELECT * EXCLUDE (ordinal) FROM spans ORDER BY started_us, span_id`;
const LOGS = `SELECT * EXCLUDE (ordinal) FROM logs ORDER BY occurred_us, body`;
const ITEMS = `
  SELECT * EXCLUDE (ordinal, identity_ordinal) FROM items ORDER BY sequence, item_index`;

async function convert(stores: OldItemStores & { payloads: Pick<PayloadStore, "listFiles"> }) {
  return await convertOldItems(stores, { files: await stores.payloads.listFiles(), reserveBytes: 0 });
}

async function readAll(dir: string) {
  return {
    spans: await readStoredRows(dir, SPANS),
    logs: await readStoredRows(dir, LOGS),
    items: await readStoredRows(dir, ITEMS),
  };
}

/** What the ledger would count as expired if all of it went. */
async function countAll({ events }: Awaited<ReturnType<typeof openOldStores>>, asked: number): Promise<string[]> {
  // Another instant each time: what DuckDB has planned for a table without rows finds none ever after.
  const cutoffs = toCutoffs(() => Number.MAX_SAFE_INTEGER - asked);
  const sums = new Map<string, number>();
  for (const { category, quantity } of await events.countExpired(
    cutoffs,
    toCutoffs(() => 0),
  ))
    sums.set(category, (sums.get(category) ?? 0) + quantity);
  return [...sums].map(([category, quantity]) => `${category} ${quantity}`).sort();
}

test("what commit b53d02e has stored whole becomes rows once, and everything counts as before", async () => {
  using folder = makeTempFolder();
  const dir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dir);
  const stores = await openOldStores(dir);
  const counts = [await countAll(stores, 0)];
  expect(await convert(stores)).toEqual({ files: 3, items: 5, damagedFiles: 0 });
  counts.push(await countAll(stores, 1));
  expect(await convert(stores)).toEqual({ files: 0, items: 0, damagedFiles: 0 });
  counts.push(await countAll(stores, 2));
  expect(counts[0]).toEqual(["error 1", "log_item 4", "span 5", "transaction 3"]);
  expect(counts.slice(1)).toEqual([counts[0], counts[0]]);
  await stores.close();

  const { spans, logs, items } = await readAll(dir);
  expect(spans.map(({ name, category }) => `${category}: ${name}`).sort()).toEqual([
    "span: alone",
    "span: streamed 0",
    "span: streamed 1",
    "span: streamed 2",
    "transaction: GET /cart/1",
    "transaction: GET /cart/2",
    "transaction: SELECT 1 FROM carts",
    "transaction: SELECT 2 FROM carts",
    "transaction: SELECT 4 FROM carts",
  ]);
  expect(spans.find(({ name }) => name === "SELECT 2 FROM carts")).toMatchObject({
    db_system: "postgresql",
    release: "shop@1.0",
    sample_rate: 0.5,
    segment: "GET /cart/1",
  });
  expect(logs.map(({ body, user_id }) => `${body} (${user_id})`)).toEqual([
    "a cart was filled (user-1)",
    "a card was refused (user-2)",
  ]);
  // What no row can hold is still there.
  expect(items.map(({ type, quantity }) => `${type} ${quantity}`)).toEqual([
    "transaction 1",
    "transaction 1",
    "transaction 1",
    "span 1",
    "log 1",
    "log 1",
  ]);
  const again = await openOldStores(dir);
  const payloads = await Promise.all(
    items.map(async (item) => {
      const ref = {
        fileId: Number(item.payload_file),
        offset: Number(item.payload_offset),
        index: Number(item.payload_index),
      };
      const bytes = (await again.payloads.read(ref)) as Uint8Array;
      expect(bytes.length).toBe(Number(item.payload_bytes));
      return JSON.parse(new TextDecoder().decode(decodeStoredItem(bytes).payload));
    }),
  );
  await again.close();
  expect(payloads[0].spans).toEqual([
    expect.objectContaining({ description: "SELECT 3 FROM carts", start_timestamp: null }),
  ]);
  expect(payloads[0].user).toEqual({ id: "user-1" });
  expect(payloads[1].spans).toBeUndefined();
  expect(payloads[2].contexts.trace.span_id).toBe("not hex");
  expect(payloads[3]).toEqual({ items: [null] });
  expect(payloads[4].items).toEqual([
    expect.objectContaining({ attributes: expect.objectContaining({ cart: expect.anything() }) }),
  ]);
});

test.each(["62382ff", "b53d02e"] as const)(
  "a rebuild of the files of %s brings the rows that are there",
  async (commit) => {
    using folder = makeTempFolder();
    const dir = join(folder.path, "data");
    unpackOldFolder(commit, dir);
    const stores = await openOldStores(dir);
    if (commit === "62382ff") {
      const { logOldRows } = await import("../log-old-rows.ts");
      await logOldRows({ ...stores, journal: { id: "x" } }, { reserveBytes: 0 });
    }
    await convert(stores);
    await stores.close();
    const converted = await readAll(dir);
    expect(converted.logs).toHaveLength(2);

    rmSync(join(dir, "events.duckdb"));
    const lost = await openOldStores(dir);
    await rebuildEvents(lost);
    // A store that was made again knows nothing of it, and finds nothing to do.
    expect(await lost.events.oldItems.areConverted()).toBe(false);
    expect(await convert(lost)).toEqual({ files: 0, items: 0, damagedFiles: 0 });
    await lost.events.oldItems.noteConverted(1);
    expect(await lost.events.oldItems.areConverted()).toBe(true);
    await lost.close();
    expect(await readAll(dir)).toEqual(converted);
  },
);

test("files whose rows were moved to days are not written again where the store is lost", async () => {
  using folder = makeTempFolder();
  const dir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dir);
  const stores = await openOldStores(dir);
  await convert(stores);
  for (const { fileId } of await stores.payloads.listFiles())
    await stores.payloads.rewrite(
      fileId,
      async (entry) => {
        const moved = readLoggedTables(entry).map(
          ({ rows: { table, count } }) => new Set(Object.hasOwn(PART_TABLES, table) ? Array(count).keys() : []),
        );
        return moved.every(({ size }) => size === 0)
          ? null
          : { places: new Map(), entry: withoutMovedRows(entry, moved) };
      },
      { reserveBytes: 0 },
    );
  await stores.close();
  rmSync(join(dir, "events.duckdb"));
  const lost = await openOldStores(dir);
  await rebuildEvents(lost);
  expect(await convert(lost)).toEqual({ files: 0, items: 0, damagedFiles: 0 });
  await lost.close();
});

test("a store that was made again before its files were converted gets the rows, too", async () => {
  using folder = makeTempFolder();
  const dir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dir);
  rmSync(join(dir, "events.duckdb"));
  const stores = await openOldStores(dir);
  await rebuildEvents(stores);
  expect(await convert(stores)).toEqual({ files: 3, items: 5, damagedFiles: 0 });
  await stores.close();
  const { spans, logs } = await readAll(dir);
  expect([spans.length, logs.length]).toEqual([9, 2]);
});

test("what is deleted stays as it is until it is erased, and rows go with the item that they were", async () => {
  using folder = makeTempFolder();
  const dir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dir);
  const items = await readStoredRows(dir, ITEMS);
  const keyOf = (item: Record<string, unknown> | undefined) =>
    `1:${toItemKey({ sequence: Number(item?.sequence), itemIndex: Number(item?.item_index), receivedAt: Number(item?.received_at) })}`;
  const container = items.find(({ type, quantity }) => type === "span" && Number(quantity) === 4);
  const lines = items.find(({ type, quantity }) => type === "log" && Number(quantity) === 3);
  const projectId = Number(container?.project_id);
  expect(projectId).toBe(Number(lines?.project_id));
  const toKey = (item: typeof container) => `${projectId}:${keyOf(item).slice(2)}`;
  const stores = await openOldStores(dir);
  const findDeleted = (deleted: string) => async (keys: readonly { projectId: number; identity: string }[]) =>
    new Set(keys.map(({ projectId, identity }) => `${projectId}:${identity}`).filter((key) => key === deleted));
  const isHidden = { ...stores.deletions, findDeleted: findDeleted(toKey(container)) };
  expect(await convert({ ...stores, deletions: isHidden })).toMatchObject({ items: 4 });

  // Somebody deletes the log container that was, as a record that waited would say it.
  const isGone = { findDeleted: findDeleted(toKey(lines)), projectIds: new Set<number>() };
  for (const { fileId } of await stores.payloads.listFiles())
    await stores.payloads.erase(fileId, (entry) => eraseFromEntry(entry, isGone));
  await stores.close();
  rmSync(join(dir, "events.duckdb"));
  const again = await openOldStores(dir);
  await rebuildEvents(again);
  await again.close();
  const { spans, logs } = await readAll(dir);
  expect(spans.filter(({ name }) => String(name).startsWith("streamed"))).toEqual([]);
  expect(logs).toEqual([]);
});

/** Where the blocks of a payload file begin. */
const FIRST_LINE_BYTES = 32;

test.each(["whole", "damaged"])(
  "an append that a crash has cut off is there twice, the second time %s",
  async (second) => {
    using folder = makeTempFolder();
    const dir = join(folder.path, "data");
    unpackOldFolder("b53d02e", dir);
    const name = readdirSync(join(dir, "payloads")).find((each) => each.includes("-transactions-")) as string;
    const path = join(dir, "payloads", name);
    const append = readFileSync(path).subarray(FIRST_LINE_BYTES);
    const again = Buffer.from(append);
    // Within its body: neither its payloads nor its entry can be read then.
    if (second === "damaged") again[200] = (again[200] as number) ^ 0xff;
    appendFileSync(path, again);
    const stores = await openOldStores(dir);
    expect(await convert(stores)).toEqual({ files: 3, items: 5, damagedFiles: 0 });
    await stores.close();
    const { spans, items } = await readAll(dir);
    expect(items.filter(({ type }) => type === "transaction")).toHaveLength(3);
    expect(spans.filter(({ category }) => category === "transaction")).toHaveLength(5);
    // What cannot be read is still there as it was.
    if (second === "damaged") expect(readFileSync(path).includes(again)).toBe(true);
  },
);
