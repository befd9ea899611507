import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { toEventEnvelope, waitForEvent } from "../support/api.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startCommand } from "../support/start-command.ts";
import { startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = join(import.meta.dirname, "../..");

interface Files {
  folder: string;
  /** Where the proxy listens, and where Culprit does. */
  port: number;
  upstream: number;
}

/** Each writes the configuration of `deploy/` with the addresses of the test, and gives the command that runs it. */
const PROXIES: Record<string, (files: Files) => string[]> = {
  nginx({ folder, port, upstream }) {
    const server = readFileSync(join(root, "deploy/nginx.conf"), "utf8")
      .replace("  listen [::]:443 ssl;\n", "")
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`)
      .replace(/\/etc\/ssl\/errors\.example\.com\.(crt|key)/g, `${folder}/tls.$1`);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const user = process.getuid?.() === 0 ? "user root;" : "";
    writeFileSync(
      join(folder, "nginx.conf"),
      `${user} daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${paths.join(" ")}\n${server}}\n`,
    );
    return ["nginx", "-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")];
  },
  caddy({ folder, port, upstream }) {
    const site = readFileSync(join(root, "deploy/Caddyfile"), "utf8")
      .replace("errors.example.com {", `https://127.0.0.1:${port} {\n  tls ${folder}/tls.crt ${folder}/tls.key`)
      .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
    const caddyfile = site.replace("grace_period 5s", "grace_period 1s\n  admin off\n  auto_https off");
    writeFileSync(join(folder, "Caddyfile"), caddyfile);
    return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
};

describe.each(Object.keys(PROXIES))("behind %s, by TLS on a port of its own", (name) => {
  test("people sign in, events are taken, and the live stream comes at once", async ({ skip }) => {
    skip(spawnSync(name, [name === "nginx" ? "-v" : "version"]).error !== undefined, `this machine has no ${name}`);
    using folder = makeTempFolder();
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", "tls.key", "-out", "tls.crt"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
      cwd: folder.path,
      stdio: "ignore",
    });
    mkdirSync(join(folder.path, "logs"));
    const port = await findFreePort();
    const origin = `https://127.0.0.1:${port}`;
    await using server = await startServer({ env: { TRUST_PROXY: "1", PUBLIC_URL: origin } });
    const [command = "", ...args] = PROXIES[name]?.({ folder: folder.path, port, upstream: server.port }) ?? [];
    const proxy = startCommand(command, args, { cwd: folder.path, env: { HOME: folder.path } });
    const ca = readFileSync(join(folder.path, "tls.crt"));
    const ask = (path: string, options: RequestOptions = {}, body?: string) =>
      open(origin + path, { ...options, ca }, body);
    try {
      await expect.poll(() => canConnect(port)).toBe(true);
      const form = new URLSearchParams(server.owner).toString();
      const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
      const signedIn = await ask("/sign-in", { method: "POST", headers }, form);
      expect(signedIn.statusCode).toBe(302);
      const [session = ""] = signedIn.headers["set-cookie"] ?? [];
      expect(session).toContain("Secure");
      signedIn.resume();

      const { eventId, envelope } = toEventEnvelope({ message: `through ${name}` });
      const key = new URL(server.dsn ?? "").username;
      const sent = await ask(`/api/1/envelope/?sentry_key=${key}`, { method: "POST" }, envelope);
      expect(sent.statusCode).toBe(200);
      sent.resume();
      await waitForEvent(server, eventId);

      // Without compression it may be larger than MAX_REQUEST_BYTES.
      const large = `{}\n{"type":"attachment","length":${42 * MIB}}\n${"x".repeat(42 * MIB)}\n`;
      const taken = await ask(`/api/1/envelope/?sentry_key=${key}`, { method: "POST" }, large);
      expect(taken.statusCode).toBe(200);
      taken.resume();
      if (name === "nginx") {
        const tooLarge = { "content-length": String(102 * MIB) };
        const refused = await ask(`/api/1/envelope/?sentry_key=${key}`, { method: "POST", headers: tooLarge }, "x");
        expect([refused.statusCode, refused.headers["content-type"]]).toEqual([413, "application/json"]);
        refused.destroy();
      }

      const live = await ask("/live", { headers: { cookie: session.split(";")[0], accept: "text/event-stream" } });
      expect(live.headers["content-type"]).toContain("text/event-stream");
      // What is buffered on its way would come with the end, which never comes.
      const more = toEventEnvelope({ message: `live through ${name}` });
      const whenTold = new Promise<string>((done) =>
        live.once("data", (chunk: Buffer) => done(chunk.toString("utf8"))),
      );
      (await ask(`/api/1/envelope/?sentry_key=${key}`, { method: "POST" }, more.envelope)).resume();
      expect((await whenTold).length).toBeGreaterThan(0);
      live.destroy();
    } finally {
      proxy.child.kill("SIGTERM");
      await proxy.ended;
    }
  });
});

function open(url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const sent = request(url, { ...options, agent: false }, done);
    sent.once("error", fail);
    sent.end(body);
  });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true));
    socket.once("error", () => done(false));
    socket.once("close", () => done(false));
    socket.once("connect", () => socket.destroy());
  });
}
