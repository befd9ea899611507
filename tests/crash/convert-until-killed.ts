// Makes rows of what an earlier version has stored whole, and kills itself at one place. Without a place it goes on to the end.
import { convertOldItems } from "../../app/jobs/old-items/convert-old-items.ts";
import { openOldStores } from "../support/old-data-folder.ts";

const [dir = "", place = "", files = "0"] = process.argv.slice(2);
const stores = await openOldStores(dir);
let left = Number(files);

/** At the given place of the file that is the so-and-so-manieth to come there. */
function dieAt(here: string): void {
  if (here === place && --left <= 0) process.kill(process.pid, "SIGKILL");
}

const { payloads, events } = stores;
const done = await convertOldItems(
  {
    ...stores,
    payloads: {
      read: (ref) => payloads.read(ref),
      readLog: (fileId, from) => payloads.readLog(fileId, from),
      async rewrite(fileId, decide, options) {
        const rewritten = await payloads.rewrite(
          fileId,
          async (entry, refOf) => {
            const decided = await decide(entry, refOf);
            dieAt("while a file is written");
            return decided;
          },
          options,
        );
        dieAt("between file and store");
        return rewritten;
      },
    },
    events: {
      ...events,
      oldItems: {
        ...events.oldItems,
        async convert(entries) {
          const items = await events.oldItems.convert(entries);
          dieAt("behind the store");
          return items;
        },
      },
    },
  },
  { files: await payloads.listFiles(), reserveBytes: 0 },
);
await stores.close();
process.stdout.write(`${JSON.stringify(done)}\n`);
