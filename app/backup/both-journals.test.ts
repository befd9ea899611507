import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { dataPaths } from "../data-folder/data-paths.ts";
import { BULK_PLACE, listJournals, openJournals } from "../journal/journals.ts";
import { segmentPath } from "../journal/segment-files.ts";
import { createLog } from "../log.server.ts";
import { startOnFolder } from "../server/fixtures/start-on-folder.ts";
import { checkFolder } from "./check-folder.server.ts";
import { goBack } from "./go-back.server.ts";
import { beginUpgradeSnapshot } from "./upgrade-snapshot.server.ts";

test("a snapshot has what waits in both journals, and the way back puts it where it was", async () => {
  using data = makeTempFolder();
  const paths = dataPaths(data.path);
  await startOnFolder(data.path);
  const journals = listJournals(await openJournals({ dir: paths.journal, log: console, minFreeDiskBytes: 0 }));
  for (const journal of journals) await journal.append([Buffer.from(`waits in ${journal.firstSequence}`)]);
  for (const journal of journals) await journal.close();
  // As an earlier version has left it.
  writeFileSync(paths.schema, JSON.stringify({ version: "0.0.1", state: 1, events: 1 }));
  const snapshot = await beginUpgradeSnapshot(
    { paths, version: "0.1.0" },
    createLog({ level: "silent", format: "json" }),
  );
  await snapshot.addEvents();
  await snapshot.noteUpgraded();

  const segments = [segmentPath(paths.journal, 0), segmentPath(join(paths.journal, "bulk"), BULK_PLACE.firstSequence)];
  const before = segments.map((path) => readFileSync(path, "latin1"));
  for (const path of segments) rmSync(path);
  const { manifest } = await goBack({ dataDir: data.path });
  expect(manifest.bulk?.positions.state).toBe(BULK_PLACE.firstSequence + 1);
  expect(segments.map((path) => readFileSync(path, "latin1"))).toEqual(before);
  expect((await checkFolder(data.path)).findings).toEqual([]);
  expect(existsSync(join(paths.journal, "bulk", "id"))).toBe(true);
});

test("check names a journal of bulk that lacks what the stores want", async () => {
  using data = makeTempFolder();
  const paths = dataPaths(data.path);
  await startOnFolder(data.path);
  expect((await checkFolder(data.path)).findings).toEqual([]);
  const open = async () =>
    listJournals(await openJournals({ dir: paths.journal, log: console, minFreeDiskBytes: 0, segmentBytes: 1 }));
  const journals = await open();
  for (let at = 0; at < 4; at++) await journals[1].append([Buffer.from("bulk")]);
  for (const journal of journals) await journal.close();
  for (const at of [0, 1, 2])
    rmSync(segmentPath(join(paths.journal, "bulk"), BULK_PLACE.firstSequence + at), { force: true });
  expect((await checkFolder(data.path)).findings).toMatchObject([
    { path: join(paths.journal, "bulk"), what: expect.stringMatching(/the stores want those from 10000000000001 on/) },
  ]);
});
