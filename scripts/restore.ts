// `npm run restore -- <backup> <data folder>`: puts a backup into an empty folder.
import { restoreBackup } from "../app/backup/restore-backup.server.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE =
  "usage: npm run restore -- (or of a release: culprit restore) <backup, or the folder of several: then the newest> <empty data folder>";

await runCommand(USAGE, async ({ args }) => {
  const [path, dataDir, ...rest] = args;
  if (path === undefined || dataDir === undefined || rest.length > 0) throw new UsageError();
  const { backup, manifest, damaged } = await restoreBackup({ path, dataDir });
  process.stdout.write(`restored ${manifest.files.length} files of ${backup}, taken at ${manifest.takenAt}\n`);
  for (const name of damaged) process.stdout.write(`damaged in the backup, and restored as it is: ${name}\n`);
  process.stdout.write(`start the server with DATA_DIR=${dataDir}\n`);
  return damaged.length === 0 ? 0 : 2;
});
