// `npm run backup -- <folder> [--keep <number>]`: a backup of DATA_DIR, while the server runs or not.
import { setPriority } from "node:os";
import { parseArgs } from "node:util";
import { makeBackup } from "../app/backup/make-backup.server.ts";
import { formatBytes } from "../app/ui/format-bytes.ts";
import packageJson from "../package.json" with { type: "json" };
import { runCommand, UsageError } from "./run-command.ts";

const DEFAULT_KEEP = 7;
const USAGE =
  "usage: npm run backup -- (or of a release: culprit backup) <folder> [--keep <number of backups, 7 if not given>]";

await runCommand(USAGE, async ({ dataDir, args }) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { keep: { type: "string", default: String(DEFAULT_KEEP) } },
  });
  const [folder, ...rest] = positionals;
  const keep = Number(values.keep);
  if (folder === undefined || rest.length > 0) throw new UsageError();
  if (!Number.isInteger(keep) || keep < 1) throw new Error(`--keep wants a whole number from 1 on, not ${values.keep}`);
  const report = await makeBackup({
    dataDir,
    folder,
    keep,
    version: packageJson.version,
    now: () => new Date(),
    // The server goes first, once it does not wait for us.
    onTaken: () => setPriority(10),
  });
  const { positions, bulk, files, takenAt } = report.manifest;
  const waiting = [positions, ...(bulk ? [bulk.positions] : [])].map(({ events, journal }) => journal - events);
  process.stdout.write(
    [
      `backup: ${report.path}`,
      `taken at ${takenAt}; the digest waited ${report.pauseMs.toFixed(0)} ms`,
      `${files.length} files: ${formatBytes(report.copiedBytes)} copied, ${formatBytes(report.linkedBytes)} linked`,
      `records: ${waiting.reduce((sum, count) => sum + count, 0)} waiting in the journals, the others are stored`,
      ...report.deleted.map((name) => `deleted, as --keep ${keep} says: ${name}`),
      "",
    ].join("\n"),
  );
  return 0;
});
