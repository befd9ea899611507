#!/usr/bin/env node
// The command of an installed release. What it imports comes after the check, because an older Node cannot load it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  fail(`needs Node 22.22 or newer, and runs on ${process.versions.node}. Get it from https://nodejs.org.`);
}

const USAGE = `culprit            serves on http://localhost:3000 (PORT, HOST), with its data in ./data (DATA_DIR)
culprit account    lists accounts and sessions, resets a password, makes an owner
culprit backup     makes a backup of DATA_DIR in a folder, of a running server too
culprit restore    copies a backup into an empty folder
culprit check      tells whether a data folder or a backup is whole
culprit rebuild    makes the event database of a stopped server again from its payload files
culprit location   checks addresses from here for a server elsewhere (CULPRIT_LOCATION_TOKEN)
culprit go-back    puts the databases of before an upgrade back
culprit --version  tells version and commit
\`culprit <command> --help\` says what a command takes.
Environment variables configure it: docs/configuration.md in this package.`;

/** @type {Record<string, () => unknown>} */
const COMMANDS = {
  start: async () => {
    const { becomeServer, refuseOptions } = await import("../scripts/start.ts");
    if (process.argv.length > 2) refuseOptions();
    becomeServer();
  },
  account: () => import("../scripts/account.ts"),
  backup: () => import("../scripts/backup.ts"),
  restore: () => import("../scripts/restore.ts"),
  check: () => import("../scripts/check.ts"),
  rebuild: () => import("../scripts/rebuild.ts"),
  location: () => import("../scripts/location.ts"),
  "go-back": () => import("../scripts/go-back.ts"),
  "--version": async () => {
    const { version, commit } = (await import("../app/server/build-version.server.ts")).readBuildVersion();
    process.stdout.write(`${version} (commit ${commit})\n`);
  },
  "--help": showUsage,
  "-h": showUsage,
};

const [name = "start"] = process.argv.splice(2, 1);
if (!Object.hasOwn(COMMANDS, name)) fail(`there is no command \`${name}\`.\n${USAGE}`);
await COMMANDS[name]?.();

function showUsage() {
  process.stdout.write(`${USAGE}\n`);
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`culprit: ${message}\n`);
  process.exit(1);
}
