// Stores spans and logs of some days and moves each day into a file once the next one has begun, until the parent kills it. Goes on where the
// process before it was. Ends when all days are stored and moved.
import { DAY_MS } from "../../app/domain/time.ts";
import { createMoveDaysJob } from "../../app/jobs/move-days.ts";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { appendBatch, FIRST_DAY, openMovingFolder, RECORDS, RECORDS_OF_DAY, SILENT } from "./moving-folder.ts";

const [dir = ""] = process.argv.slice(2);
const stores = await openMovingFolder(dir);
const { events, payloads } = stores;
await rebuildEvents(stores);
if (!(await events.oldItems.areTurned())) await events.oldItems.noteTurned(0);
let day = 0;
const job = createMoveDaysJob(
  { events, payloads, journal: { id: stores.journalId, durable: { sequence: 0 } } },
  {
    backlog: () => ({ records: 0 }),
    sealDigest: async () => undefined,
    reserveBytes: 0,
    countLost: async () => 0,
    countFound: async () => 0,
    log: SILENT,
    now: () => (FIRST_DAY + day) * DAY_MS + DAY_MS / 2,
  },
);
process.stdout.write("ready\n");
const { signal } = new AbortController();
for (let at = await events.appliedSequence(stores.journalId); at < RECORDS; at += 2) {
  await appendBatch(stores, at);
  day = Math.floor(at / RECORDS_OF_DAY);
  while ((await job.run(signal)) === "worked");
}
day = RECORDS / RECORDS_OF_DAY;
while ((await job.run(signal)) === "worked");
while (await events.rollUp(Number.POSITIVE_INFINITY));
await payloads.close();
await events.close();
process.stdout.write("done\n");
