// `npm run go-back -- [snapshot] [--leave-days]`: puts the databases from before an upgrade back, for the version before.
import { goBack } from "../app/backup/go-back.server.ts";
import { refuseRoot } from "../app/data-folder/require-access.server.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE =
  "usage: npm run go-back -- (or of a release: culprit go-back) [name of a snapshot; the newest, if not given] [--leave-days]";

await runCommand(USAGE, async ({ dataDir, args }) => {
  const leavesDays = args.includes("--leave-days");
  const [snapshot, ...rest] = args.filter((each) => each !== "--leave-days");
  if (rest.length > 0 || snapshot?.startsWith("-")) throw new UsageError();
  refuseRoot(dataDir);
  const done = await goBack({ dataDir, leavesDays, ...(snapshot === undefined ? {} : { snapshot }) });
  process.stdout.write(
    `the databases are those of ${done.snapshot} again, taken before the upgrade from ${done.manifest.version}\n` +
      `those that were in use until now are in ${done.left}\n` +
      (done.leftDays.length === 0
        ? ""
        : `${done.leftDays.length} files in days/ stay: the version from before does not read them, and the next upgrade does\n`) +
      "start the version from before the upgrade: another start of this one upgrades them again\n",
  );
  return 0;
});
