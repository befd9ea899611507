import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn as signInAsPerson } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = resolve(import.meta.dirname, "../..");

function envelope(dsn: string, message: string): string {
  const event = { event_id: crypto.randomUUID().replaceAll("-", ""), message, level: "error" };
  return `${JSON.stringify({ event_id: event.event_id, dsn })}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}

/** As an SDK does. */
function send(dsn: string, message: string): Promise<Response> {
  const { protocol, host, username, pathname } = new URL(dsn);
  const url = `${protocol}//${host}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`;
  return fetch(url, { method: "POST", body: envelope(dsn, message) });
}

function attribute(html: string, name: string): string | undefined {
  return new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html)?.[1]?.replaceAll("&quot;", '"');
}

describe("a running server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ watchesItself: true });
  });
  afterAll(() => server.stop());

  test("takes an event with the DSN that it logged, and counts it", async () => {
    expect((await send(server.dsn ?? "", "hello")).status).toBe(200);
    expect((await send(server.dsn?.replace(/\/\/\w{4}/, "//0000") ?? "", "stranger")).status).toBe(403);
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toMatch(/culprit_items_stored_total\{category="error"\} 1/);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/culprit_items_accepted_total \d+/);
    expect(metrics).toMatch(/culprit_items_refused_total\{reason="unknown_key"\} 1/);
    expect(metrics).toMatch(/culprit_digest_batch_duration_seconds_count [1-9]/);
  });

  test("says that it is up and ready", async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
  });

  test("allows only its own scripts on a page, by a nonce that is never the same", async () => {
    const pages = await Promise.all([fetch(`${server.url}/sign-in`), fetch(`${server.url}/sign-in`)]);
    const nonces = pages.map(
      ({ headers }) => /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1],
    );
    expect(nonces[0]).toBeTruthy();
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(await pages[0]?.text()).toContain(`nonce="${nonces[0]}"`);
    expect(pages[0]?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(pages[0]?.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("sends the code of its pages compressed, to be kept for ever", async () => {
    const html = await (await fetch(`${server.url}/sign-in`)).text();
    const path = /\/assets\/react-[\w-]+\.js/.exec(html)?.[0];
    const response = await fetch(server.url + path, { headers: { "accept-encoding": "br" } });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect((await response.text()).length).toBeGreaterThan(1_000);
  });

  test("answers a path that is none with a page and the status", async () => {
    const response = await fetch(`${server.url}/nothing/here`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    expect([302, 404]).toContain(response.status);
  });

  test("refuses another process on the same data, and says why", async () => {
    const second = await runServer({ DATA_DIR: server.dataDir });
    expect(second.code).toBe(1);
    expect(second.output).toContain("another Culprit runs on the data");
    // One sentence: a stack would say that Culprit is broken.
    expect(second.output).not.toContain("    at ");
  });

  test("refuses a port that another process has, and says what to set", async () => {
    using folder = makeTempFolder();
    const second = await runServer({ DATA_DIR: folder.path, PORT: new URL(server.url).port });
    expect(second.code).toBe(1);
    expect(second.output).toContain("set PORT to another one");
    expect(second.output).not.toContain("    at ");
  });

  describe("the tunnel", () => {
    const tunnel = (body: string) => fetch(`${server.url}/monitoring`, { method: "POST", body });

    async function ownDsn(): Promise<string> {
      const html = await (await fetch(`${server.url}/sign-in`)).text();
      return JSON.parse(attribute(html, "culprit-monitoring") ?? "{}").dsn;
    }

    test("takes what the pages' own DSN names", async () => {
      expect((await tunnel(envelope(await ownDsn(), "from a page"))).status).toBe(200);
    });

    test("refuses every other DSN, those of this server's projects included", async () => {
      expect((await tunnel(envelope(server.dsn ?? "", "not a page"))).status).toBe(403);
      expect((await tunnel(envelope("https://abc@evil.test/1", "elsewhere"))).status).toBe(403);
    });

    test("refuses what is no envelope, or names no DSN", async () => {
      expect((await tunnel("nonsense")).status).toBe(400);
      expect((await tunnel('{}\n{"type":"event"}\n{}\n')).status).toBe(400);
    });
  });

  test("pages continue the trace that they were loaded in", async () => {
    const headers = { "sentry-trace": `${"a".repeat(32)}-${"b".repeat(16)}-1`, baggage: `x=1,y=${"2".repeat(9000)}` };
    const html = await (await fetch(`${server.url}/sign-in`, { headers })).text();
    expect(attribute(html, "sentry-trace")).toMatch(/^a{32}-[0-9a-f]{16}-1$/);
  });
});

describe("a server that nobody has set up", () => {
  test("watches itself only from the set-up on", async () => {
    await using server = await startServer({ project: null, watchesItself: true });
    const before = await (await fetch(`${server.url}/set-up`)).text();
    expect(attribute(before, "culprit-monitoring")).toBeUndefined();
    const form = {
      code: await server.setUpCode(),
      name: "Ada",
      email: "ada@example.com",
      password: "correct horse",
      project: "Shop",
      platform: "node",
    };
    const done = await fetch(`${server.url}/set-up`, {
      method: "POST",
      headers: { origin: server.url },
      body: new URLSearchParams(form),
      redirect: "manual",
    });
    expect(done.status).toBe(302);
    const after = await (await fetch(`${server.url}/sign-in`)).text();
    expect(attribute(after, "culprit-monitoring")).toContain("dsn");
  });
});

describe("a server that reports elsewhere", () => {
  test("sends its own events and those of its pages there, and passes limits on", async () => {
    const received: string[] = [];
    const elsewhere = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      received.push(`${req.url} ${Buffer.concat(chunks).toString("utf8")}`);
      res.writeHead(429, { "retry-after": "7", "x-sentry-rate-limits": "7:error:key" }).end("{}");
    });
    await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
    const dsn = `http://abc@127.0.0.1:${(elsewhere.address() as AddressInfo).port}/9`;
    {
      await using server = await startServer({
        env: { SENTRY_DSN: dsn, SENTRY_TRACES_SAMPLE_RATE: "1", SENTRY_TUNNEL_PATH: "/own" },
      });
      const answer = await fetch(`${server.url}/own`, { method: "POST", body: envelope(dsn, "from a page") });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
      expect(answer.headers.get("x-sentry-rate-limits")).toBe("7:error:key");
      const prefixed = dsn.replace("/9", "/elsewhere/9");
      await fetch(`${server.url}/own`, { method: "POST", body: envelope(prefixed, "to another path") });
      await fetch(`${server.url}/sign-in`);
      // Before it ends, it sends what it has.
      expect(await server.stop()).toBe(0);
    }
    elsewhere.close();
    expect(received.find((request) => request.includes("from a page"))).toMatch(/^\/api\/9\/envelope\//);
    expect(received.find((request) => request.includes('"transaction":"GET /sign-in"'))).toBeTruthy();
    expect(received.filter((request) => request.startsWith("/elsewhere"))).toEqual([]);
  });
});

describe("a server behind a proxy that ends TLS", () => {
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "errors.example.com" };
  const signIn = (server: TestServer, origin: string) =>
    fetch(`${server.url}/sign-in`, {
      method: "POST",
      body: new URLSearchParams(server.owner),
      headers: { ...forwarded, origin },
      redirect: "manual",
    });

  test("takes forms from its own origin as people see it, and from no other", async () => {
    await using server = await startServer({ env: { TRUST_PROXY: "1" } });
    const answer = await signIn(server, "https://errors.example.com");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("set-cookie")).toContain("Secure");
    expect((await signIn(server, "https://evil.test")).status).toBe(403);
    // What came through the proxy is a stranger's; what did not is of this machine.
    const headers = { "x-forwarded-for": "203.0.113.9" };
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(401);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
  });

  test("believes no header where no proxy is expected, and says what to set", async () => {
    await using server = await startServer();
    const answer = await signIn(server, "https://errors.example.com");
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(
      `The browser sent this from https://errors.example.com, and this server expects ${server.url}. `,
    );
  });

  test("takes forms from PUBLIC_URL, though the proxy drops the port", async () => {
    await using server = await startServer({
      env: { TRUST_PROXY: "1", PUBLIC_URL: "https://errors.example.com:8443" },
    });
    expect((await signIn(server, "https://errors.example.com:8443")).status).toBe(302);
    expect((await signIn(server, "https://errors.example.com:9443")).status).toBe(403);
  });
});

describe("stopping", () => {
  test("ends live streams, finishes and exits with 0 on SIGTERM", async () => {
    const server = await startServer();
    const { cookie } = await signInAsPerson(server);
    const live = await fetch(`${server.url}/live`, { headers: { cookie } });
    expect(live.headers.get("content-type")).toBe("text/event-stream");
    expect(await server.stop()).toBe(0);
    await expect(live.text()).rejects.toThrow();
  });

  test("takes two signals at once for one, as Ctrl-C under npm sends them", async () => {
    await using server = await startServer();
    process.kill(server.pid, "SIGINT");
    await server.waitForLog(({ msg }) => msg === "stopping");
    process.kill(server.pid, "SIGINT");
    await server.waitForLog(({ msg }) => msg === "stopped");
    expect(await server.stop()).toBe(0);
  });
});

describe("starting", () => {
  test("accepts an event and answers a page that comes before pages are ready", async () => {
    await using server = await startServer({ waitFor: "events" });
    const [page, sent] = await Promise.all([
      fetch(`${server.url}/sign-in`),
      server.waitForLog(({ dsn }) => dsn !== undefined).then(({ dsn }) => send(String(dsn), "early")),
    ]);
    expect([page.status, sent.status]).toEqual([200, 200]);
  });

  test("names every problem of the configuration and stops", async () => {
    const { code, output } = await runServer({ PORT: "http", RETENTION_DAYS: "never", CULPRIT_ADMIN: "sesame" });
    expect(code).toBe(1);
    expect(output).toContain("PORT");
    expect(output).toContain("RETENTION_DAYS");
    expect(output).toContain("CULPRIT_ADMIN");
    expect(output).not.toContain("sesame");
  });
});

/** For a server that is expected to end by itself. */
async function runServer(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child: ChildProcess = spawn(process.execPath, ["server.ts"], {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE, PORT: "0", HOST: "127.0.0.1", LOG_FORMAT: "json", ...env },
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  return { code, output };
}
