import { randomBytes } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { acceptedLossPath, foreignStore, lostStore } from "../domain/data-folder.ts";
import { findJournals } from "../journal/find-journals.ts";
import { BULK_PLACE } from "../journal/journals.ts";
import { listSegments } from "../journal/segment-files.ts";
import type { Log } from "../log.server.ts";
import { ignoreMissing } from "../missing-file.ts";
import { type EventFolder, isEventDatabaseMade, type StoredJournal } from "../stores/duckdb/event-database-file.ts";
import { parseFileName } from "../stores/files/payload-file-names.ts";
import { readDataFolderRecord, writeDataFolderRecord } from "../stores/sqlite/data-folder-record.ts";
import type { DataPaths } from "./data-paths.ts";
import { readStoreFolder, removeFolderMark, writeFolderMark } from "./folder-mark.server.ts";

/** The folders that carry the id in a file. `chunks` does not: tools send lost chunks again. */
const MARKED_FOLDERS = [
  {
    key: "journal",
    loss: "the events in it that were accepted and not stored yet",
    isOwnFile: (name: string) => name === "id" || name.endsWith(".journal"),
  },
  {
    key: "payloads",
    loss: "the details of the events in it",
    isOwnFile: (name: string) => parseFileName(name) !== null,
  },
  {
    key: "blobs",
    loss: "the uploaded source maps in it",
    isOwnFile: (name: string) => /^[0-9a-f]{2}$/.test(name),
  },
] as const;

const LOSS_OF_BULK = "the spans, logs and other bulk in it that were accepted and not stored yet";

export interface ClaimedFolder {
  /** The event database is checked against this when it is opened. */
  events: EventFolder;
  /** To be called once every store carries the id: what the operator accepted holds for one loss, not for the next one. */
  forgetAcceptedLosses(): Promise<void>;
}

/**
 * Checks that the stores of a data folder belong together, before any of them is opened: each carries the id of the folder.
 * A new folder gets an id, and so does a folder of a version without ids, if its stores are all there.
 *
 * It may be killed anywhere. State gets the id first, and notes last that the folders have it, too: until then, a folder
 * without the id is one that has not got it yet; from then on it is a lost one. The event database is made later, under its
 * name only when it carries the id. One that is lost once state has stored events is made again from the payload files.
 *
 * @throws {DataFolderError} when a store is lost, or belongs to another data folder.
 */
export async function claimDataFolder(paths: DataPaths, log: Log): Promise<ClaimedFolder> {
  const record = await readDataFolderRecord(paths.state);
  const hasEvents = await isEventDatabaseMade(paths.events);
  const folders = await Promise.all(
    MARKED_FOLDERS.map(async ({ key, loss, isOwnFile }) => ({
      path: paths[key],
      loss,
      /** Versions without ids know of it that they have made it. */
      isOld: key !== "blobs",
      ...(await readStoreFolder(paths[key], isOwnFile)),
    })),
  );
  if (record === null) {
    const others = folders.filter(({ hasFiles, id }) => hasFiles || id !== null).map(({ path }) => path);
    if (hasEvents) others.push(paths.events);
    // Another state database would give the numbers of issues and projects to others, and the set-up page to anybody.
    if (others.length > 0) throw lostStore(paths.state, `is missing or empty, beside ${others.join(", ")}`, null);
  }

  const id = record?.folderId ?? randomBytes(16).toString("hex");
  const applied: ReadonlyMap<string, number> = record?.applied ?? new Map();
  const hasStored = applied.size > 0;
  const unmarked = folders.filter((folder) => folder.id !== id);
  for (const folder of unmarked) {
    if (folder.id !== null) {
      throw foreignStore(folder.path, folder.id, { path: paths.state, id: record?.folderId ?? null });
    }
    const isLost = record?.isComplete || (hasStored && folder.isOld && !folder.isThere);
    if (isLost && !(await isLossAccepted(folder.path, log))) {
      const how = !folder.isThere ? "is missing" : folder.hasFiles ? `does not carry the id ${id}` : "is empty";
      throw lostStore(folder.path, how, folder.loss);
    }
  }
  const bulkJournal = join(paths.journal, BULK_PLACE.folder);
  // It has no mark, because a version that knew one journal leaves a folder without it. It goes with the folder that it is in.
  const mayMissBulk = unmarked.some(({ path }) => path === paths.journal) || !hasApplied(applied, BULK_PLACE);
  if (!mayMissBulk && !(await hasJournal(paths.journal, BULK_PLACE)) && !(await isLossAccepted(bulkJournal, log)))
    throw lostStore(bulkJournal, "is missing or empty", LOSS_OF_BULK);
  if (record?.folderId == null) await writeDataFolderRecord(paths.state, { folderId: id, isComplete: false });
  for (const { path } of unmarked) await writeFolderMark(path, id);
  if (!record?.isComplete) await writeDataFolderRecord(paths.state, { folderId: id, isComplete: true });
  return {
    events: { id, statePath: paths.state, hasStored, journals: await findStoredJournals(paths.journal, applied) },
    async forgetAcceptedLosses() {
      for (const path of [...folders.map((folder) => folder.path), bulkJournal])
        await rm(acceptedLossPath(path), { force: true });
    },
  };
}

type JournalPlace = typeof BULK_PLACE;

/** Whether state has applied records of a journal that numbers them as those of the place. */
function hasApplied(applied: ReadonlyMap<string, number>, { firstSequence }: JournalPlace): boolean {
  return [...applied.values()].some((sequence) => sequence > firstSequence);
}

async function hasJournal(dir: string, { firstSequence }: JournalPlace): Promise<boolean> {
  return (await findJournals(dir)).some((journal) => journal.firstSequence === firstSequence);
}

async function findStoredJournals(dir: string, applied: ReadonlyMap<string, number>): Promise<StoredJournal[]> {
  const stored: StoredJournal[] = [];
  for (const { id, firstSequence, dir: own } of await findJournals(dir)) {
    const [oldest] = await listSegments(own);
    const upTo = applied.get(id);
    if (upTo !== undefined) stored.push({ id, firstSequence, from: oldest?.base ?? upTo, applied: upTo });
  }
  return stored;
}

async function isLossAccepted(path: string, log: Log): Promise<boolean> {
  const accepted = acceptedLossPath(path);
  if ((await ignoreMissing(stat(accepted))) === null) return false;
  log.warn({ path, acceptedBy: accepted }, "the loss of a store is accepted");
  return true;
}

/** After the state of a version without ids was put back: the folders are as that version has left them, and the next upgrade claims them again. */
export async function unclaimDataFolder(paths: DataPaths): Promise<void> {
  const record = await readDataFolderRecord(paths.state);
  if (record === null || record.folderId !== null) return;
  for (const { key } of MARKED_FOLDERS) await removeFolderMark(paths[key]);
}
