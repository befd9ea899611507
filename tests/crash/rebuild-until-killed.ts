// Rebuilds the event store of a folder, and prints how many rows there are after each step, until it ends or is killed.
import { flushCompileCache } from "node:module";
import { rebuildEvents } from "../../app/jobs/rebuild-events.ts";
import { openRebuildFolder } from "./rebuild-folder.ts";

const [dir = ""] = process.argv.slice(2);
const { events, payloads, deletions, damage } = await openRebuildFolder(dir);
// The next process need not compile again: one that is killed leaves nothing by itself.
flushCompileCache();
process.stdout.write("open\n");
const done = await rebuildEvents(
  { events, payloads, deletions, damage },
  { onProgress: () => process.stdout.write(`${events.rebuild.state()?.rows}\n`) },
);
process.stdout.write(`done ${done?.rows}\n`);
await payloads.close();
await events.close();
