// `npm run go-back -- [snapshot]`: puts the databases from before an upgrade back, for the version before.
import { goBack } from "../app/backup/go-back.server.ts";
import { runCommand } from "./run-command.ts";

await runCommand(async ({ dataDir, args }) => {
  const [snapshot, ...rest] = args;
  if (rest.length > 0)
    throw new Error(
      "usage: npm run go-back -- (or of a release: culprit go-back) [name of a snapshot; the newest, if not given]",
    );
  const done = await goBack({ dataDir, ...(snapshot === undefined ? {} : { snapshot }) });
  process.stdout.write(
    `the databases are those of ${done.snapshot} again, taken before the upgrade from ${done.manifest.version}\n` +
      `those that were in use until now are in ${done.left}\n` +
      "start the version from before the upgrade: another start of this one upgrades them again\n",
  );
  return 0;
});
