import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VARIABLES } from "../../app/config.server.ts";
import { MIB } from "../../app/domain/bytes.ts";
import { MAX_CHUNK_REQUEST_BYTES, MAX_RELEASE_FILE_BYTES } from "../../app/web-api/uploads/upload-limits.ts";
import { START_ARGS, START_ENV } from "../../scripts/start.ts";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { startServer } from "../support/start-server.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

test("systemd starts Node with the switches of npm start", () => {
  const unit = read("deploy/culprit.service").replaceAll("\\\n", " ");
  const [, command = ""] = /^ExecStart=\/usr\/bin\/node (.+)$/m.exec(unit) ?? [];
  const folder = "/opt/culprit/current/node_modules/culprit";
  const args = START_ARGS.map((arg) => arg.replace(/^file:.*(?=\/build\/node\/)/, `file://${folder}`));
  expect(command.split(/\s+/)).toEqual([...args, `${folder}/build/node/server.js`]);
  const environment = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(environment).toEqual({ ...START_ENV, NODE_COMPILE_CACHE: "/var/cache/culprit", DATA_DIR: "/var/lib/culprit" });
  // EX_CONFIG: server.ts ends with it where starting again does not help.
  expect(unit).toContain("RestartPreventExitStatus=78");
  // Connections that wait at the socket would start it as well.
  const [, afterStop = ""] = /^ExecStopPost=\+\/bin\/sh -c '(.+)'$/m.exec(unit) ?? [];
  const stopped = (status: string) => {
    const script = `systemctl() { echo "$@"; }; ${afterStop}`;
    return spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", env: { EXIT_STATUS: status } }).stdout;
  };
  expect(["78", "0", "1", "KILL"].map(stopped)).toEqual(["--no-block stop culprit.socket\n", "", "", ""]);
});

test("what Node calls experimental is not told in the log", () => {
  const switches = START_ARGS.slice(0, START_ARGS.indexOf("--import"));
  const warn = 'process.emitWarning("an algorithm", "ExperimentalWarning")';
  const { status, stderr } = spawnSync(process.execPath, [...switches, "--eval", warn], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("nginx lets through the largest body that tools and SDKs send", () => {
  const [, megabytes] = /^\s*client_max_body_size (\d+)m;$/m.exec(read("deploy/nginx.conf")) ?? [];
  const largest = Math.max(MAX_CHUNK_REQUEST_BYTES, MAX_RELEASE_FILE_BYTES, VARIABLES.MAX_REQUEST_BYTES.default);
  // A form has its parts' headers beside them.
  expect(Number(megabytes) * MIB).toBeGreaterThanOrEqual(largest + MIB);
});

test("the container runs without rights, without a shell, and with variables that there are", () => {
  const dockerfile = read("Dockerfile");
  const [, final = ""] = dockerfile.split(/^FROM .* AS build$/m);
  const last = final.slice(final.lastIndexOf("\nFROM "));
  expect(/^USER (\w+)$/m.exec(last)?.[1]).toBe("node");
  for (const instruction of ["ENTRYPOINT", "CMD"])
    expect(last).toMatch(new RegExp(`^\\s*${instruction} \\["node", `, "m"));
  expect(dockerfile.replace(/^#.*$/gm, "")).not.toMatch(/:latest|^ADD |sudo|curl|apt-get/m);
  const compose = read("compose.yaml");
  for (const line of ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"]) expect(compose).toContain(line);
  const [, environment = ""] = /environment:\n((?: {6}.*\n)+)/.exec(compose) ?? [];
  const names = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name.replace(/_FILE$/, ""));
  expect(names).toContain("CULPRIT_ADMIN");
  expect(names.filter((name) => !(name in VARIABLES))).toEqual([]);
  expect(read(".dockerignore")).toMatch(/^secrets$/m);
});

test("the container's health check ends with 0 beside a server, at whichever address that listens, and with 1 without", async () => {
  const check = (env: Record<string, string>) =>
    spawnSync(process.execPath, ["scripts/check-health.ts"], { cwd: root, env }).status;
  const server = await startServer({ waitFor: "events" });
  const PORT = String(server.port);
  expect([check({ PORT }), check({ PORT, HOST: "127.0.0.1" }), check({ PORT, HOST: "::1" })]).toEqual([0, 0, 1]);
  await server.stop();
  expect(check({ PORT })).toBe(1);
});

test("alert rules and dashboard ask for metrics that a server has, with labels that they have", async () => {
  await using server = await startServer();
  const { eventId, envelope } = toEventEnvelope({ message: "counted" });
  await sendEnvelope(server, envelope);
  await waitForEvent(server, eventId);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const known = new Set(
    [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const dashboard: { panels: Array<{ targets: Array<{ expr: string }> }> } = JSON.parse(
    read("deploy/grafana-dashboard.json"),
  );
  const asked = (text: string) => text.match(/\b(?:culprit|process|nodejs)_[a-z_]+(?=[{[ )]|$)/gm) ?? [];
  const rules = [...read("deploy/prometheus-rules.yml").matchAll(/^\s+expr: (.+)$/gm)].map(([, expr = ""]) => expr);
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(rules.length).toBeGreaterThan(8);
  expect(panels.length).toBeGreaterThan(15);
  expect([...rules, ...panels].flatMap(asked).filter((name) => !known.has(name))).toEqual([]);
  const reasons = /reason=~"([a-z_|]+)"/.exec(rules.join())?.[1]?.split("|") ?? [];
  expect(reasons).toContain("disk_full");
  for (const reason of reasons) expect(read("app/ingest/refusal.ts")).toContain(`  ${reason}: {`);
  expect(rules.join()).toContain('job="retention"');
  expect(read("app/jobs/retention.ts")).toContain('name: "retention"');
});

test("Prometheus takes the alert rules", ({ skip }) => {
  const { error, status, stdout, stderr } = spawnSync("promtool", ["check", "rules", "deploy/prometheus-rules.yml"], {
    cwd: root,
  });
  skip(error !== undefined, "this machine has no promtool");
  expect(`${stdout}${stderr}`).toContain("SUCCESS");
  expect(status).toBe(0);
});
