import { claimDataFolder } from "../data-folder/claim-data-folder.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { lockDataFolder } from "../data-folder/lock-data-folder.server.ts";
import { requireData } from "../data-folder/require-data.server.ts";
import { MIB } from "../domain/bytes.ts";
import { readPositions } from "../domain/journal-positions.ts";
import { DAY_MS } from "../domain/time.ts";
import { logOldRows } from "../jobs/log-old-rows.ts";
import { convertOldItems, type OldItemStores } from "../jobs/old-items/convert-old-items.ts";
import { type RebuildDone, rebuildEvents } from "../jobs/rebuild/rebuild-events.ts";
import { findJournals } from "../journal/find-journals.ts";
import type { Log } from "../log.server.ts";
import { openDuckdbEventStore } from "../stores/duckdb/open-duckdb-event-store.ts";
import { setAsideDatabase } from "../stores/duckdb/set-aside-database.ts";
import { newRebuild } from "../stores/events/event-rebuild.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import { openSqliteState } from "../stores/sqlite/open-sqlite-state.ts";
import { rebuildProgress } from "./rebuilding.ts";

/** Free on the disk beside the copy of a payload file. */
const RESERVE_BYTES = 64 * MIB;

/**
 * Rebuilds the event store of a stopped server: the rows that came on one day, or all. If all are rebuilt, the old database is kept in
 * `damaged/`. Returns what was done, in lines.
 *
 * @param day like `2026-11-20`, in UTC; null: all
 * @throws when a server runs on the folder, or a store of it is lost
 */
export async function runRebuild(
  dataDir: string,
  { day, log, say }: { day: string | null; log: Log; say: (line: string) => void },
): Promise<void> {
  const received = day === null ? null : toDay(day);
  requireData(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const paths = dataPaths(dataDir);
    const folder = await claimDataFolder(paths, log);
    if (!folder.events.hasStored) throw new Error(`nothing is stored in ${dataDir} yet`);
    const openEvents = () =>
      openDuckdbEventStore({ path: paths.events, tempDir: paths.eventsTemp, folder: folder.events });
    const payloads = await openPayloadFiles({ dir: paths.payloads });
    const journals = await findJournals(paths.journal);
    const journal = { id: journals[0]?.id ?? "" };
    let events = await openEvents();
    const state = await openSqliteState({ path: paths.state });
    const convert = async (skipsStore: boolean): Promise<void> => {
      const stores = { events, payloads, deletions: state.deletionWork };
      await convertItems(stores, { receivedFrom: received?.from ?? null, skipsStore, say });
    };
    let isConverted = false;
    // A damaged database was set aside before this point.
    if (events.rebuild.state() === null) {
      // Rows that only the database has would be lost with it.
      const old = await logOldRows({ events, payloads, journal }, { reserveBytes: RESERVE_BYTES });
      if (old.payloads > 0) say(`The rows of ${old.payloads} payloads of an earlier version are in the row log now.`);
      // Items are converted in the files first: the rebuild then inserts their rows. Only once, because the rest of an item whose rows moved
      // to days looks like an old item.
      if (!(await events.oldItems.areConverted())) await convert(received === null);
      isConverted = true;
      if (received === null) {
        await events.close();
        say(`The old database is kept at ${await setAsideDatabase(paths.events, Date.now())}.`);
        events = await openEvents();
      }
    }
    try {
      if (received !== null && events.rebuild.state() === null)
        await events.rebuild.begin({ ...newRebuild("was asked for", Date.now()), received });
      let saidAt = 0;
      const done = await rebuildEvents(
        {
          events,
          payloads,
          deletions: state.deletionWork,
          damage: state.damage,
          expirations: state.expirations,
          positions: async () => ({
            state: await readPositions(state.batches, journals),
            events: await readPositions(events, journals),
          }),
        },
        {
          onProgress() {
            const progress = rebuildProgress(events);
            if (progress === null || Date.now() - saidAt < 1_000) return;
            saidAt = Date.now();
            const share = `${Math.floor(progress.share * 100)} %`;
            say(
              progress.step === "noting"
                ? `${share} of the payload files looked through for what there was.`
                : `${share} of the payload files restored, ${progress.rows} rows written.`,
            );
          },
        },
      );
      for (const line of done === null ? [] : describe(done)) say(line);
      if (!isConverted) await convert(false);
      if (received === null) await events.oldItems.noteConverted(Date.now());
    } finally {
      await state.close();
      await payloads.close();
      await events.close();
    }
  } finally {
    lock.unlock();
  }
}

/** Makes rows of spans and logs that earlier versions stored whole: in all files, or in those with items that came on a day. */
async function convertItems(
  stores: OldItemStores & { payloads: Pick<PayloadStore, "listFiles"> },
  { receivedFrom, skipsStore, say }: { receivedFrom: number | null; skipsStore: boolean; say: (line: string) => void },
): Promise<void> {
  const all = await stores.payloads.listFiles();
  // A batch is stored under the day of its first record.
  const isNear = (day: number) => receivedFrom === null || [receivedFrom, receivedFrom - DAY_MS].includes(day * DAY_MS);
  const files = all.filter(({ day }) => isNear(day));
  const done = await convertOldItems(stores, { files, reserveBytes: RESERVE_BYTES, skipsStore });
  if (done.files > 0)
    say(`The spans and logs of an earlier version are rows now: ${done.files} payload files were written again.`);
  if (done.damagedFiles > 0)
    say(`${done.damagedFiles} payload files are damaged: what an earlier version has stored in them stays as it is.`);
}

function describe({ rows, damagedEntries, unlistedPayloads, damagedItems, lostItems }: RebuildDone): string[] {
  const lines = [`Done: ${rows} rows.`];
  if (damagedEntries > 0)
    lines.push(
      `${damagedEntries} batches are damaged in the payload files: their rows are lost. ${lostItems} items count as damaged now.`,
    );
  if (damagedItems > 0) lines.push(`The details of ${damagedItems} items cannot be read: they count as damaged now.`);
  if (unlistedPayloads > 0)
    lines.push(`${unlistedPayloads} payloads of a version without a row log have no rows there: these are lost.`);
  return lines;
}

function toDay(day: string): { from: number; to: number } {
  const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // `Date` takes some days that do not exist for days of the next month.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(day))
    throw new Error(`not a day: ${day}. Write it like 2026-11-20`);
  return { from, to: from + DAY_MS };
}
