// Rebuilds the event store of a folder, and prints after each step how many rows are back and up to which record others have come, until it ends
// or is killed. Digests the records up to a given one meanwhile.
import { flushCompileCache } from "node:module";
import { rebuildEvents } from "../../app/jobs/rebuild/rebuild-events.ts";
import { openRebuildFolder } from "./rebuild-folder.ts";
import { digestRecords, JOURNAL } from "./rebuild-rows.ts";

const [dir = "", upTo = "0"] = process.argv.slice(2);
const { events, payloads, ...others } = await openRebuildFolder(dir);
// The next process need not compile again: one that is killed leaves nothing by itself.
flushCompileCache();
process.stdout.write("open\n");
let digesting: Promise<void> | undefined;
const print = (digested: number) => process.stdout.write(`${events.rebuild.state()?.rows ?? 0} ${digested}\n`);
const done = await rebuildEvents(
  { events, payloads, ...others },
  {
    onNoted() {
      digesting = digestRecords({ events, payloads }, { upTo: Number(upTo), onBatch: print });
    },
    onProgress: () => void events.appliedSequence(JOURNAL).then(print),
  },
);
await digesting;
process.stdout.write(`done ${done?.rows} ${await events.appliedSequence(JOURNAL)}\n`);
await payloads.close();
await events.close();
