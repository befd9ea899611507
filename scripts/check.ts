// `npm run check -- [folder]`: whether a data folder (DATA_DIR, if none is named) or a backup is whole.
import { checkFolder } from "../app/backup/check-folder.server.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE =
  "usage: npm run check -- (or of a release: culprit check) [data folder or backup; DATA_DIR, if not given]";

await runCommand(USAGE, async ({ dataDir, args }) => {
  const [path = dataDir, ...rest] = args;
  if (rest.length > 0 || path.startsWith("-")) throw new UsageError();
  const report = await checkFolder(path);
  for (const { path: where, what, means, cure } of report.findings) {
    process.stdout.write(`damaged: ${where}\n  what: ${what}\n  means: ${means}\n  do: ${cure}\n`);
  }
  const name = `the ${report.kind} ${report.path}`;
  const count = report.findings.length;
  process.stdout.write(
    count === 0 ? `${name} is whole\n` : `${name} has ${count} damaged part${count === 1 ? "" : "s"}\n`,
  );
  if (report.isRunning) {
    process.stdout.write("a server runs on it: its event database was not read. Check a backup, or stop the server\n");
  }
  if (report.isRebuilding) {
    process.stdout.write(
      "a rebuild of its event database has not ended: rows are missing until the server, or another rebuild, has gone on with it\n",
    );
  }
  return count === 0 ? 0 : 2;
});
