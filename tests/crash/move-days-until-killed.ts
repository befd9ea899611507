// Stores spans and logs of some days and moves them into files, until the parent kills it: slices of a day, and all of it once the next has begun. Goes on where the
// process before it was. Ends when all days are stored and moved.
import { DAY_MS } from "../../app/domain/time.ts";
import { createMoveDaysJob } from "../../app/jobs/move-days.ts";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import {
  appendBatch,
  FIRST_DAY,
  openMovingFolder,
  RECORDS,
  RECORDS_OF_DAY,
  ROWS_OF_SLICE,
  SILENT,
} from "./moving-folder.ts";

const [dir = ""] = process.argv.slice(2);
const stores = await openMovingFolder(dir, { rowsOfSlice: ROWS_OF_SLICE });
const { events, payloads } = stores;
await rebuildEvents(stores);
if (!(await events.oldItems.areConverted())) await events.oldItems.noteConverted(0);
let days = 0;
const job = createMoveDaysJob(
  { events, payloads, journals: [{ id: stores.journalId, firstSequence: 0, durable: { sequence: 0 } }] },
  {
    backlog: () => ({ records: 0, bytes: 0 }),
    sealDigest: async () => undefined,
    reserveBytes: 0,
    countLost: async () => 0,
    countFound: async () => 0,
    log: SILENT,
    now: () => (FIRST_DAY + days) * DAY_MS,
  },
);
process.stdout.write("ready\n");
const { signal } = new AbortController();
for (let at = await events.appliedSequence(stores.journalId); at < RECORDS; at += 2) {
  await appendBatch(stores, at);
  days = (at + 2) / RECORDS_OF_DAY;
  while ((await job.run(signal)) === "worked");
}
days = RECORDS / RECORDS_OF_DAY + 0.5;
while ((await job.run(signal)) === "worked");
while (await events.rollUp(Number.POSITIVE_INFINITY));
await payloads.close();
await events.close();
process.stdout.write("done\n");
