// `npm run location`: checks addresses from this machine, for a server elsewhere. It has no data of its own.
import { exchange } from "../app/location/exchange.server.ts";
import { readLocationConfig } from "../app/location/location-config.server.ts";
import { runLocation } from "../app/location/run-location.server.ts";
import { createLog } from "../app/log.server.ts";
import { readBuildVersion } from "../app/server/build-version.server.ts";
import { probe } from "../app/uptime/probe.server.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

try {
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
} catch (error) {
  process.stderr.write(`culprit: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
