import { readFileSync } from "node:fs";
import zlib from "node:zlib";
import { expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { sendEnvelope } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const COUNT = 24;

/** Of the process, in MiB: the most that was ever resident. */
function peakMemory({ pid }: TestServer): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Zeros, which are no envelope. */
function pack(bytes: number): Buffer {
  return zlib.gzipSync(Buffer.alloc(bytes), { level: 1 });
}

test("24 bombs at once, and 24 of the largest bodies, stay within the memory for requests, and events go on", async () => {
  await using server = await startServer({ env: { SENTRY_DSN: "off" } });
  const { username, pathname } = new URL(server.dsn ?? "");
  const url = `${server.url}/api${pathname}/envelope/?sentry_key=${username}`;
  const post = (body: Buffer) =>
    fetch(url, { method: "POST", headers: { "content-encoding": "gzip" }, body: body as BodyInit });
  const before = peakMemory(server);
  for (const [size, allowed] of [
    [200 * MIB, [413, 503]],
    // Below the limit of 100 MiB: unpacked whole.
    [90 * MIB, [400, 503]],
  ] as const) {
    const body = pack(size);
    const answers = Array.from({ length: COUNT }, () => post(body));
    expect((await sendEnvelope(server, '{}\n{"type":"event"}\n{"message":"beside bombs"}\n')).status).toBe(200);
    for (const { status, headers } of await Promise.all(answers)) {
      expect(allowed).toContain(status);
      if (status === 503) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
  }
  // MAX_IN_FLIGHT_BYTES is 256 MiB. It was 385 when each body was unpacked as it came, and joined.
  expect(peakMemory(server) - before).toBeLessThan(350);
});
