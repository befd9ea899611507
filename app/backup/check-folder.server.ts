import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { reachServer } from "../control/reach-server.server.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { readStoreFolder } from "../data-folder/folder-mark.server.ts";
import { holdsData } from "../data-folder/require-data.server.ts";
import { requireFolder } from "../data-folder/require-folder.server.ts";
import { ignoreMissing } from "../missing-file.ts";
import { toFileName } from "../stores/files/payload-file-names.ts";
import { checkBlobs } from "./check-blobs.server.ts";
import { checkDays, checkMissingDays } from "./check-days.server.ts";
import { checkPayloads } from "./check-payloads.server.ts";
import { checkState } from "./check-state.server.ts";
import { hashFile } from "./copy-file.server.ts";
import { type Finding, RESTORE } from "./finding.ts";
import { findBackup, readManifest } from "./manifest.server.ts";
import { type EventsReport, readEventsCopy } from "./read-events-copy.server.ts";
import { type JournalReport, scanJournals } from "./scan-journal.server.ts";

export interface CheckReport {
  path: string;
  kind: "data folder" | "backup";
  /** A server runs on it: then its event database is left alone. */
  isRunning: boolean;
  /** A rebuild of its event database has begun and not ended. */
  isRebuilding: boolean;
  findings: Finding[];
}

/**
 * Tells whether a data folder or a backup is whole: opens each store, reads all there is, compares checksums, ids and positions. Changes
 * nothing.
 *
 * @throws a sentence for the operator when there is nothing to check.
 */
export async function checkFolder(path: string): Promise<CheckReport> {
  const folder = resolve(path);
  requireFolder(folder, "name a data folder or a backup, or set DATA_DIR");
  const state = await ignoreMissing(stat(dataPaths(folder).state));
  const isBackup = (await readManifest(folder)) !== null;
  if (!state && !isBackup) {
    const backup = await findBackup(folder).catch(() => null);
    if (backup !== null) return await checkBackup(backup);
  }
  if (isBackup) return await checkBackup(folder);
  if (!holdsData(folder)) throw new Error(`${folder} is neither a data folder nor a backup`);
  const reached = await reachServer(folder);
  try {
    const { isRunning } = reached;
    return { path: folder, kind: "data folder", isRunning, ...(await checkStores(folder, { isRunning })) };
  } finally {
    if (reached.isRunning) reached.server.close();
    else reached.unlock();
  }
}

async function checkBackup(path: string): Promise<CheckReport> {
  const findings: Finding[] = [];
  const manifest = await readManifest(path);
  for (const file of manifest?.files ?? []) {
    const copy = join(path, file.path);
    const found = await ignoreMissing(hashFile(copy, file.bytes));
    if (found?.bytes === file.bytes && found.sha256 === file.sha256) continue;
    findings.push({
      path: copy,
      what: found === null ? "the file is missing" : "the file is not what was backed up",
      means: "a restore of this backup is not whole",
      cure: "make another backup, and look at the disk that this one is on",
    });
  }
  const stores = await checkStores(path, { isRunning: false });
  return { ...stores, path, kind: "backup", isRunning: false, findings: [...findings, ...stores.findings] };
}

async function checkStores(
  folder: string,
  { isRunning }: { isRunning: boolean },
): Promise<Pick<CheckReport, "isRebuilding" | "findings">> {
  const paths = dataPaths(folder);
  const { report: state, findings } = checkState(paths.state);
  const journals = await readJournals(paths.journal, findings);
  const payloads = await checkPayloads(paths.payloads);
  const events = isRunning || journals.length === 0 ? null : await readEvents(paths.events, payloads.ends, findings);
  findings.push(...payloads.findings, ...(await checkDays(paths.days)));
  findings.push(...(await checkMissingDays(paths, events?.dayFiles ?? [])));
  const isRebuilding = events?.isRebuilding ?? false;
  if (!state) return { isRebuilding, findings };
  findings.push(...(await checkBlobs(paths.blobs, state.blobs)));
  for (const dir of [paths.journal, paths.payloads, paths.blobs])
    findings.push(...(await checkId(dir, state.folderId, paths.state)));
  if (events && state.folderId !== null && events.folderId !== state.folderId)
    findings.push(foreign(paths.events, events.folderId, paths.state, state.folderId));
  for (const [fileId, { count, beyondEnd }] of events?.payloadRows ?? []) {
    const end = payloads.ends.get(fileId);
    if (end !== undefined && beyondEnd === 0) continue;
    findings.push({
      path: join(paths.payloads, toFileName(fileId)),
      what:
        end === undefined
          ? `the file is missing, and ${count} rows refer to it`
          : `it ends at byte ${end}, and ${beyondEnd} rows refer to what came after`,
      means: "the details of these events cannot be read; their rows, issues and counts are not touched",
      cure: "put this one file back from a backup; without one, go on: pages say which details are missing",
    });
  }
  if (!events) return { isRebuilding, findings };
  for (const journal of journals) {
    const positionIn = (positions: ReadonlyMap<string, number>) =>
      Math.max(journal.firstSequence, positions.get(journal.id) ?? 0);
    const applied = { state: positionIn(state.positions), events: positionIn(events.positions) };
    findings.push(...comparePositions(paths.state, applied, journal));
  }
  return { isRebuilding, findings };
}

function comparePositions(
  statePath: string,
  applied: { state: number; events: number },
  { dir, from, upTo }: JournalReport,
): Finding[] {
  const findings: Finding[] = [];
  if (applied.events > applied.state) {
    findings.push({
      path: statePath,
      what: `it has applied the journal up to ${applied.state}, and the event database up to ${applied.events}`,
      means: "the state is older than the events: issues get numbers that events of others have already",
      cure: RESTORE,
    });
  }
  const wanted = Math.min(applied.state, applied.events);
  const endsEarly = upTo < applied.state && applied.events < applied.state;
  if (from > wanted || endsEarly) {
    findings.push({
      path: dir,
      what:
        from === upTo
          ? `it has no records, and the stores want those from ${wanted} on`
          : `it has the records from ${from} to ${upTo - 1}, and the stores want those from ${wanted} on`,
      means:
        "events that were accepted and not stored in both databases yet are lost, unless the payload files have them",
      cure: `start the server: it makes the event database again from the payload files. Or ${RESTORE}`,
    });
  }
  return findings;
}

async function readJournals(dir: string, findings: Finding[]): Promise<JournalReport[]> {
  const lost = "events that were accepted and not stored yet cannot be read";
  try {
    const journals = await scanJournals(dir);
    if (journals.length === 0) findings.push({ path: dir, what: "there is no journal", means: lost, cure: RESTORE });
    for (const { path, offset, length, recordCount } of journals.flatMap(({ damage }) => damage)) {
      findings.push({
        path,
        what: `${length} bytes from byte ${offset} on are damaged (${recordCount} records)`,
        means:
          "these records are lost, unless the stores have applied them already; the server sets them aside and goes on",
        cure: "look at the disk; restore from a backup if the events matter",
      });
    }
    return journals;
  } catch (error) {
    findings.push({ path: dir, what: `it cannot be read: ${messageOf(error)}`, means: lost, cure: RESTORE });
    return [];
  }
}

async function readEvents(
  path: string,
  payloadEnds: ReadonlyMap<number, number>,
  findings: Finding[],
): Promise<EventsReport | null> {
  const tempDir = await makeTempFolder();
  try {
    return await readEventsCopy(path, { payloadEnds, tempDir });
  } catch (error) {
    // DuckDB names the file that it could not write: nothing is known of the database then.
    if (messageOf(error).includes(tempDir)) throw withoutRoom(error);
    findings.push({
      path,
      what: `it cannot be read: ${messageOf(error)}`,
      means: "rows of events are missing from lists and graphs; issues, counts and the events' details are not touched",
      cure: "start the server, which makes it again from the payload files, or run `npm run rebuild` (or culprit rebuild)",
    });
    return null;
  } finally {
    await rm(tempDir, { recursive: true, force: true });
  }
}

/** DuckDB writes into it what does not fit into its memory. */
async function makeTempFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "culprit-check-"));
  } catch (error) {
    throw withoutRoom(error);
  }
}

function withoutRoom(error: unknown): Error {
  return new Error(
    `nothing was checked, because the folder for temporary files, ${tmpdir()}, cannot be used: ${messageOf(error)}. Name another one: TMPDIR=<folder>`,
    { cause: error },
  );
}

async function checkId(dir: string, wanted: string | null, statePath: string): Promise<Finding[]> {
  const { isThere, id } = await readStoreFolder(dir, () => true);
  if (wanted === null || id === wanted) return [];
  if (!isThere)
    return [{ path: dir, what: "the folder is missing", means: "the server does not start", cure: RESTORE }];
  return [foreign(dir, id, statePath, wanted)];
}

function foreign(path: string, id: string | null, statePath: string, wanted: string): Finding {
  return {
    path,
    what: id === null ? "it carries no id of a data folder" : `it belongs to data folder ${id}`,
    means: `${statePath} belongs to data folder ${wanted}, and the server refuses to mix them`,
    cure: "put the one that belongs here in its place, or restore the whole folder from a backup",
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
