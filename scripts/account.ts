// `npm run account -- <command>`: what the operator does with accounts, on a running server or a stopped one.
import { describeAccountCommands } from "../app/control/account-commands.server.ts";
import { runAccount } from "../app/control/run-account.server.ts";
import { runCommand } from "./run-command.ts";

await runCommand(async ({ dataDir, args }) => {
  if (args.length === 0) throw new Error(describeAccountCommands());
  for (const line of await runAccount(dataDir, args)) process.stdout.write(`${line}\n`);
  return 0;
});
