// In the place of systemd: listens, and gives the socket to the command (the arguments) RUNS times, one run after the other. It waits
// without an event loop, so it accepts no connection itself. Its lines: `{"msg":"holds","port":…}`, then a `{"msg":"runs","pid":…}` a run.
import { spawnSync } from "node:child_process";
import { createServer } from "node:net";

const server = createServer().listen(0);
process.stdout.write(`${JSON.stringify({ msg: "holds", port: server.address().port })}\n`);
const start = `echo "{\\"msg\\":\\"runs\\",\\"pid\\":$$}"; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"`;
for (let run = 0; run < Number(process.env.RUNS); run++) {
  const { status } = spawnSync("sh", ["-c", start, "sh", ...process.argv.slice(2)], {
    stdio: ["ignore", "inherit", "inherit", server._handle.fd],
  });
  if (status !== 0) process.exit(1);
}
process.exit(0);
