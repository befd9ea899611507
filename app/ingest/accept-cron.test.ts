import { describe, expect, test } from "vitest";
import { type IngestServer, KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";

const PATH = `/api/1/cron/nightly/${KEYS.open}`;

async function call(server: IngestServer, path: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  return { status: response.status, text, detail: text === "" ? null : (JSON.parse(text).detail as string) };
}

/** The check-ins in the journal. */
function checkInsOf(server: IngestServer): unknown[] {
  return server.journal.envelopes.flatMap(({ body }) =>
    parseEnvelope(body).items.map(({ header, payload }) => [header.type, JSON.parse(Buffer.from(payload).toString())]),
  );
}

describe("a check-in by URL", () => {
  test("is taken by GET, HEAD and POST, and answered 202 without a body", async () => {
    await using server = await startIngestServer();
    const id = crypto.randomUUID();
    for (const method of ["GET", "HEAD", "POST"]) {
      const query = `?status=in_progress&check_in_id=${id}&environment=staging&duration=1.5`;
      expect(await call(server, `${PATH}/${query}`, { method })).toEqual({ status: 202, text: "", detail: null });
    }
    const checkIn = {
      status: "in_progress",
      check_in_id: id,
      environment: "staging",
      duration: 1.5,
      monitor_slug: "nightly",
    };
    expect(checkInsOf(server)).toEqual([0, 1, 2].map(() => ["check_in", checkIn]));
    expect((await call(server, `/api/1/cron/nightly/?status=ok&sentry_key=${KEYS.open}`)).status).toBe(202);
  });

  test("ends a line of a crontab: an exit status in the path, the output as the body", async () => {
    await using server = await startIngestServer();
    expect((await call(server, `${PATH}/0`)).status).toBe(202);
    expect((await call(server, `${PATH}/start`)).status).toBe(202);
    const body = `begin${"x".repeat(20_000)}\nno space left`;
    expect((await call(server, `${PATH}/137?environment=eu`, { method: "POST", body })).status).toBe(202);
    const [ok, start, failed] = checkInsOf(server) as Array<[string, Record<string, unknown>]>;
    expect(ok?.[1]).toEqual({ exit_status: 0, status: "ok", monitor_slug: "nightly" });
    expect(start?.[1]).toEqual({ status: "in_progress", monitor_slug: "nightly" });
    expect(failed?.[1]).toMatchObject({ exit_status: 137, status: "error", environment: "eu" });
    const output = String(failed?.[1].output);
    expect(output).toHaveLength(10_240);
    expect(output).toMatch(/no space left$/);
  });

  test("takes the JSON of a check-in, with its monitor", async () => {
    await using server = await startIngestServer();
    const monitor_config = { schedule: { type: "crontab", value: "0 2 * * *" }, timezone: "Europe/Berlin" };
    const post = (body: object) =>
      call(server, `${PATH}/`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await post({ status: "ok", monitor_config })).status).toBe(202);
    expect(checkInsOf(server)).toEqual([["check_in", { status: "ok", monitor_config, monitor_slug: "nightly" }]]);
    expect(await post({ status: "ok", stauts: 1 })).toMatchObject({
      status: 400,
      detail: expect.stringContaining("unknown field “stauts”"),
    });
    const bad = { ...monitor_config, schedule: { type: "crontab", value: "61 * * * *" } };
    expect((await post({ status: "ok", monitor_config: bad })).detail).toContain("Invalid value for minute: 61");
    expect((await post({ status: "ok", monitor_config: { ...monitor_config, grace: 1 } })).detail).toContain("“grace”");
  });

  test.each([
    ["/", "status is missing"],
    ["/?status=done", "status is “done”"],
    ["/?status=ok&when=now", "unknown parameter “when”"],
    ["/?status=ok&duration=long", "duration is no number"],
    ["/?status=ok&duration=-1", "duration is no number of seconds"],
    ["/?status=ok&check_in_id=7", "check_in_id is no UUID"],
    ["/done", "“done” is neither an exit status"],
    ["/1.5", "neither an exit status"],
  ])("%s is refused with a sentence", async (rest, words) => {
    await using server = await startIngestServer();
    expect(await call(server, PATH + rest)).toMatchObject({ status: 400, detail: expect.stringContaining(words) });
    expect(server.journal.envelopes).toEqual([]);
    await server.ingest.close();
    expect(server.journal.outcomes()).toEqual({ "monitor malformed malformed_check_in": 1 });
  });

  test("over the limit of its key is answered 202 and counted", async () => {
    await using server = await startIngestServer();
    const path = `/api/1/cron/nightly/${KEYS.limited}/0`;
    const statuses = [];
    for (let at = 0; at < 5; at++) statuses.push((await call(server, path)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202]);
    expect(server.journal.envelopes).toHaveLength(3);
    await server.ingest.close();
    expect(server.journal.outcomes()).toEqual({ "monitor rate_limited key_quota": 2 });
  });

  test("needs the key of its project, a method that it knows, and a body that is not too large", async () => {
    await using server = await startIngestServer();
    expect((await call(server, `/api/1/cron/nightly/${"f".repeat(32)}/0`)).status).toBe(403);
    expect((await call(server, "/api/1/cron/nightly/?status=ok")).status).toBe(401);
    expect((await call(server, `/api/1/cron/nightly/${KEYS.disabled}/0`)).status).toBe(403);
    expect((await call(server, `${PATH}/0`, { method: "PUT", body: "x" })).status).toBe(405);
    expect((await call(server, `${PATH}/0`, { method: "POST", body: "x".repeat(200_000) })).status).toBe(413);
    expect((await call(server, `/api/1/cron/!!/${KEYS.open}/0`)).detail).toContain("names no monitor");
  });
});
