// `npm run account -- <command>`: what the operator does with accounts, on a running server or a stopped one.
import { describeAccountCommands, isAccountCommand } from "../app/control/account-commands.server.ts";
import { runAccount } from "../app/control/run-account.server.ts";
import { runCommand, UsageError } from "./run-command.ts";

await runCommand(describeAccountCommands(), async ({ dataDir, args }) => {
  if (!isAccountCommand(args[0])) throw new UsageError();
  for (const line of await runAccount(dataDir, args)) process.stdout.write(`${line}\n`);
  return 0;
});
