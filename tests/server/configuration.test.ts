import { chmodSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { SERVER_FILE, START_ARGS, START_ENV } from "../../scripts/start.ts";
import { getJson, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startCommand } from "../support/start-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

describe("a server that is set up from its configuration", () => {
  test("has its owner, the organization `default` and the first project, and logs the DSN as one URL", async () => {
    await using server = await startServer({
      env: {
        CULPRIT_ADMIN: "grace@example.com:a:pass:word",
        CULPRIT_PROJECT: "checkout",
        CULPRIT_TOKEN: "s3cret-token",
      },
    });
    const line = server.logLines().find(({ dsn }) => dsn !== undefined);
    expect(line?.dsn).toMatch(new RegExp(`^http://[0-9a-f]{32}@localhost:${server.port}/\\d+$`));
    expect(JSON.stringify(server.logLines())).not.toMatch(/pass:word|s3cret-token/);

    // Everything after the first colon is the password.
    const visitor = await signIn({ url: server.url, owner: { email: "grace@example.com", password: "a:pass:word" } });
    expect((await visitor.open("/projects/checkout")).status).toBe(200);
    const api = { url: server.url, token: "s3cret-token" };
    expect(await getJson(api, "/organizations/")).toMatchObject([{ slug: "default" }]);
    expect(await getJson(api, "/")).toMatchObject({ user: { email: "grace@example.com" } });
    const { eventId, envelope } = toEventEnvelope({ message: "by the logged DSN" });
    expect((await sendEnvelope(server, envelope)).status).toBe(200);
    await waitForEvent({ ...server, ...api }, eventId, "checkout");
    const setUp = await fetch(`${server.url}/set-up`, { redirect: "manual" });
    expect([setUp.status, setUp.headers.get("location")]).toEqual([302, "/issues"]);
  });

  test("stays as it is when the variables change later", async () => {
    using data = makeTempFolder();
    const first = await startServer({ dataDir: data.path });
    await first.stop();
    await using second = await startServer({
      dataDir: data.path,
      env: { CULPRIT_ADMIN: "mallory@example.com:another password", CULPRIT_PROJECT: "other" },
    });
    await signIn(second);
    await expect(
      signIn({ url: second.url, owner: { email: "mallory@example.com", password: "another password" } }),
    ).rejects.toThrow();
    const projects = await getJson<Array<{ slug: string }>>(second, "/projects/");
    expect(projects.map(({ slug }) => slug)).not.toContain("other");
  });

  test("has no web API without a token", async () => {
    await using server = await startServer({ env: { CULPRIT_TOKEN: undefined } });
    for (const authorization of ["Bearer ", "Bearer undefined", "Bearer null"])
      expect((await fetch(`${server.url}/api/0/projects/`, { headers: { authorization } })).status).toBe(401);
  });
});

test("a server that nobody has set up sends people to the set-up page, and refuses events and API calls", async () => {
  await using server = await startServer({ project: null });
  const page = await fetch(`${server.url}/issues`, { redirect: "follow" });
  expect([page.status, page.url]).toEqual([200, `${server.url}/set-up`]);
  expect(server.logLines().some(({ msg }) => msg.includes("not set up yet"))).toBe(true);
  const { envelope } = toEventEnvelope({ message: "too early" });
  const stranger = { url: server.url, dsn: `http://${"a".repeat(32)}@localhost/1` };
  expect((await sendEnvelope(stranger, envelope)).status).toBe(403);
  const api = await fetch(`${server.url}/api/0/projects/`, { headers: { authorization: `Bearer ${server.token}` } });
  expect(api.status).toBe(401);
});

test("a data folder that every user of the machine can read is warned of, and any other is not", async () => {
  using folder = makeTempFolder();
  const warnings = async (mode: number) => {
    chmodSync(folder.path, mode);
    await using server = await startServer({ dataDir: folder.path, waitFor: "events" });
    return server.logLines().flatMap(({ level, msg }) => (level >= 40 ? [msg] : []));
  };
  expect(await warnings(0o700)).toEqual([]);
  expect(await warnings(0o755)).toEqual([expect.stringContaining(`chmod 700 ${folder.path}`)]);
});

test("a variable that looks like Culprit's and is not is named, because it is most likely mistyped", async () => {
  await using server = await startServer({ env: { CULPRIT_PROJEKT: "shop" } });
  expect(server.logLines().find(({ variables }) => variables !== undefined)).toMatchObject({
    level: 40,
    variables: ["CULPRIT_PROJEKT"],
  });
});

test("connections never take the files of the stores: where few may be open, fewer are taken, and the log says so", async () => {
  using data = makeTempFolder();
  const command = [process.execPath, ...START_ARGS, SERVER_FILE].map((word) => `'${word}'`).join(" ");
  const started = startCommand("sh", ["-c", `ulimit -n 256 && exec ${command}`], {
    env: { DATA_DIR: data.path, ...START_ENV },
  });
  const line = await started.waitFor(
    "this process may have too few files open for MAX_CONNECTIONS: fewer connections are taken. Raise the limit (LimitNOFILE, ulimit -n)",
  );
  expect(line).toMatchObject({ level: 40, wanted: 3_000, maxConnections: 128, openFiles: 256 });
  const { port } = await started.waitFor("accepting events");
  await started.waitFor("ready");
  let closed = 0;
  const sockets = Array.from({ length: 300 }, () =>
    connect(Number(port), "127.0.0.1")
      .on("error", () => {})
      .on("close", () => closed++),
  );
  await waitFor("connections beyond the limit to be closed", async () => closed >= 300 - 128);
  for (const socket of sockets) socket.destroy();
  started.child.kill();
  expect(await started.ended).toBe(0);
});

test("a copy of the data that is to send nothing runs, and has no job that sends messages or asks addresses", async () => {
  const listJobs = async (server: TestServer) => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return [...text.matchAll(/^culprit_job_runs_total\{job="([^"]+)"\}/gm)].map(([, job]) => job);
  };
  const sending = ["deliver", "follow-up", "check-addresses"];
  const mail = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "a@example.com" };
  await using silent = await startServer({ env: { SEND_NOTHING: "1", ...mail } });
  expect(silent.logLines().some(({ msg }) => msg.startsWith("SEND_NOTHING is set"))).toBe(true);
  const jobs = await waitFor("jobs to run", async () => {
    const found = await listJobs(silent);
    return ["notify", "watch-monitors"].every((job) => found.includes(job)) && found;
  });
  expect(jobs.filter((job) => job !== undefined && sending.includes(job))).toEqual([]);
  await using loud = await startServer();
  await waitFor("the jobs that send to run", async () => {
    const found = await listJobs(loud);
    return sending.every((job) => found.includes(job));
  });
});

test("events are accepted before pages are ready", async () => {
  await using server = await startServer();
  const messages = server.logLines().map(({ msg }) => msg);
  expect(messages.indexOf("accepting events")).toBeGreaterThanOrEqual(0);
  expect(messages.indexOf("ready")).toBeGreaterThan(messages.indexOf("accepting events"));
});

test("with PUBLIC_URL, DSNs are made of it, below a path too", async () => {
  await using server = await startServer({ env: { PUBLIC_URL: "https://errors.example.com/culprit" } });
  const line = server.logLines().find(({ dsn }) => dsn !== undefined);
  expect(line?.dsn).toMatch(/^https:\/\/[0-9a-f]{32}@errors\.example\.com\/culprit\/\d+$/);
  // A proxy may leave the path in front: it is tolerated.
  const { pathname, username } = new URL(String(line?.dsn));
  const { eventId, envelope } = toEventEnvelope({ message: "below a path" });
  const [, prefix, id] = pathname.split("/");
  const response = await fetch(`${server.url}/${prefix}/api/${id}/envelope/?sentry_key=${username}`, {
    method: "POST",
    body: envelope,
  });
  expect(response.status).toBe(200);
  await waitForEvent(server, eventId);
});
