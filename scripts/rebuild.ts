// `npm run rebuild [-- --day 2026-11-20]`: makes the event store of a stopped server again from its payload files.
import { parseArgs } from "node:util";
import { refuseRoot } from "../app/data-folder/require-access.server.ts";
import { createLog } from "../app/log.server.ts";
import { runRebuild } from "../app/server/run-rebuild.ts";
import { runCommand } from "./run-command.ts";

const USAGE =
  "usage: npm run rebuild -- (or of a release: culprit rebuild) [--day <like 2026-11-20, in UTC; all days, if not given>]";

await runCommand(USAGE, async ({ dataDir, args }) => {
  const { values } = parseArgs({ args: [...args], options: { day: { type: "string" } } });
  refuseRoot(dataDir);
  const log = createLog({ level: "warn", format: "json" });
  await runRebuild(dataDir, { day: values.day ?? null, log, say: (line) => process.stdout.write(`${line}\n`) });
  return 0;
});
