// Digests what waits in the journal of a folder with threads of little memory, and prints what is stored then.
import { inspect } from "node:util";
import { openDigest } from "../../app/digest/open-digest.ts";
import { DIGEST_STORES_MODULE } from "../../app/server/open-digest-stores.ts";
import { openDigestFolder } from "../support/digest-folder.ts";

const [dir = ""] = process.argv.slice(2);
await using folder = await openDigestFolder({ dir });
const { journal, paths, events } = folder;
const digest = openDigest({
  journals: [{ journal, dir: paths.journal, applied: journal.firstSequence }],
  setAsideDir: paths.setAside,
  storesModule: DIGEST_STORES_MODULE,
  storesOptions: { statePath: paths.state, payloadDir: paths.payloads },
  events,
  feed: { publish: () => {} },
  log: { ...folder.log, error: (facts, text) => process.stderr.write(`${text}: ${inspect(facts)}\n`) },
  minRestartMs: 10,
  heapMb: 32,
  limits: { steadyAfterMs: 0, maxRecords: 100 },
});
while (digest.stats().backlogRecords > 0) await new Promise((resolve) => setTimeout(resolve, 20));
const { setAsideCount } = digest.stats();
const stored = {
  ids: await folder.eventIds(),
  ledger: await folder.ledger(),
  issues: await folder.issueCounts(),
  setAsideCount,
};
process.stdout.write(JSON.stringify(stored));
await digest.close();
