import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openJournal } from "../../app/journal/open-journal.ts";

// Run by journal-kill.test.ts as a process of its own: appends without end, and prints each acknowledged record.

const [dir = "", run = ""] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
// The next process need not compile again: one that is killed leaves nothing by itself.
flushCompileCache();
const journal = await openJournal({ dir, log, segmentBytes: 1024 * 1024 });

async function appendForEver(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${run}.${writer}.${count}`;
    const body = Buffer.alloc(500 + ((count * 7919) % 20_000), name);
    const sequence = await journal.append([Buffer.from(`${name} `), body]);
    writeSync(1, `${sequence} ${name}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => appendForEver(writer)));
