// `npm run location`: checks addresses from this machine, for a server elsewhere. It has no data of its own.
import { exchange } from "../app/location/exchange.server.ts";
import { readLocationConfig } from "../app/location/location-config.server.ts";
import { runLocation } from "../app/location/run-location.server.ts";
import { createLog } from "../app/log.server.ts";
import { readBuildVersion } from "../app/server/build-version.server.ts";
import { probe } from "../app/uptime/probe.server.ts";
import { runCommand, UsageError } from "./run-command.ts";

const USAGE = `usage: npm run location, or of a release: culprit location
  CULPRIT_LOCATION_TOKEN   the token that Settings → Locations has shown; CULPRIT_LOCATION_TOKEN_FILE names a file with it
  CULPRIT_LOCATION_SERVER  where the server is reached from here, if not as the token says
  ALLOW_PRIVATE_CHECKS     1 lets this location ask private addresses and its own machine`;

await runCommand(USAGE, async ({ args }) => {
  if (args.length > 0) throw new UsageError();
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const config = readLocationConfig(process.env);
  const log = createLog({ level: "info", format: process.stdout.isTTY ? "text" : "json" });
  log.info({ server: config.server }, "asks the server what there is to check");
  const now = () => Date.now();
  await runLocation(
    {
      probe: (address, signal) =>
        probe(address, { ...(config.allowsPrivate && { isPublic: () => true }), now, signal }),
      exchange: (report, signal) => exchange(config, report, signal),
      version: readBuildVersion().version,
      log,
    },
    stop.signal,
  );
  return 0;
});
