import { commitBatch } from "../../app/digest/commit-batch.ts";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { toMappedBatch } from "../../app/digest/mapped-batch.ts";
import type { StoredSignal } from "../../app/domain/stored-signal.ts";
import { makeSignalRecords, openSignalFolder, SIGNAL_JOURNAL } from "./signal-records.ts";

// Run by signal-files-kill.test.ts as a process of its own: commits records of several signals, those from `cutAt` on as one batch. Is killed
// in it once the files of the given signals have their part, before the other files have theirs.

const [dir = "", cutAt = "0", ...written] = process.argv.slice(2);
const { state, events, payloads } = await openSignalFolder(dir);
const records = makeSignalRecords();
const isWritten = (signal: StoredSignal) => written.includes(signal);

await commit(records.slice(0, Number(cutAt)), payloads);
let waiting = written.length;
await commit(records.slice(Number(cutAt)), {
  async append(parts, at) {
    if (!isWritten(at.signal)) return await new Promise(() => {});
    const refs = await payloads.append(parts, at);
    waiting--;
    if (waiting === 0) process.kill(process.pid, "SIGKILL");
    return refs;
  },
});

async function commit(batch: typeof records, to: Pick<typeof payloads, "append">): Promise<void> {
  const applied = {
    state: await state.batches.appliedSequence(SIGNAL_JOURNAL),
    events: await events.appliedSequence(SIGNAL_JOURNAL),
  };
  const upTo = (batch.at(-1)?.sequence ?? -1) + 1;
  const options = { journalId: SIGNAL_JOURNAL, upTo, applied };
  await commitBatch({ state, events, payloads: to }, toMappedBatch(digestRecords(batch)), options);
}
