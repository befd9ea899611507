import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getViewer, hashToken, serializeSession } from "../app/features/auth/session.server.ts";
import { openSqliteState } from "../app/stores/sqlite/open-sqlite-state.ts";
import { signIn } from "../tests/support/browse.ts";
import type { TestServer } from "../tests/support/start-server.ts";
import { summarize } from "./distribution.ts";
import { type Figure, formatNumber } from "./figure.ts";
import { readResidentMemory, watchCpu } from "./machine.ts";
import { CpuUses, type Measurement, sleep, startBenchServer } from "./measurement.ts";

/** Servers that nobody has signed in to yet: only the first sign-in of each loads what signing in takes. */
const SERVERS = 7;
/** After the first one. */
const SIGN_INS = 20;
/** Until a server that has started does nothing any more. */
const SETTLE_MS = 8_000;
const REQUESTS = 20_000;

/** What people who sign in cost the process, and what each of their pages pays to know who asks. */
export const measureSignInCost: Measurement = {
  name: "sign-in-cost",
  what: "memory and processor time of the first sign-in of a server and of later ones, and of knowing who asks for a page",
  async run(bench) {
    const uses = new CpuUses();
    const [firstMemory, laterMemory, first, later]: number[][] = [[], [], [], []];
    for (let count = 0; count < (bench.isQuick ? 2 : SERVERS); count++) {
      await using server = await startBenchServer(bench);
      await sleep(SETTLE_MS);
      const rest = readMegabytes(server);
      const opening = await uses.during([server.pid], () => measureCpu(server, () => signIn(server)));
      await sleep(1_000);
      const opened = readMegabytes(server);
      const following = await uses.during([server.pid], () =>
        measureCpu(server, async () => {
          for (let again = 0; again < SIGN_INS; again++) await signIn(server);
        }),
      );
      await sleep(1_000);
      firstMemory?.push(opened - rest);
      laterMemory?.push(readMegabytes(server) - rest);
      first?.push(opening.result);
      later?.push(following.result / SIGN_INS);
      bench.say(`sign-in-cost: server ${count + 1}: ${formatNumber(opened - rest)} MB, ${opening.result} ms`);
    }
    const figures = [
      toFigure("memory.first", "memory that the first sign-in takes", firstMemory, "MB"),
      toFigure("memory.later", `  after ${SIGN_INS} more`, laterMemory, "MB"),
      toFigure("cpu.first", "processor time of the first sign-in, its hash included", first, "ms"),
      toFigure("cpu.later", "  of each later one", later, "ms"),
      toFigure("cpu.page", "processor time to know who asks for a page", await measureViewer(), "ms"),
    ];
    return { figures, cpu: uses.worst };
  },
};

function toFigure(name: string, what: string, values: readonly number[] = [], unit: Figure["unit"]): Figure {
  const note = `rounds ${values.map(formatNumber).join(", ")}`;
  return { name: `sign-in-cost.${name}`, what, value: summarize([...values]).p50, unit, better: "lower", note };
}

function readMegabytes(server: TestServer): number {
  const memory = readResidentMemory(server.pid);
  if (memory === null) throw new Error("memory is measured on Linux only");
  return memory.residentBytes / 1e6;
}

/** Milliseconds of all threads of the server. */
async function measureCpu(server: TestServer, work: () => Promise<unknown>): Promise<number> {
  const stop = watchCpu([server.pid]);
  await work();
  const seconds = stop()?.secondsOf[server.pid];
  if (seconds === undefined) throw new Error("processor time is measured on Linux only");
  return seconds * 1_000;
}

/** Milliseconds for a request of a session that stands, some rounds. */
async function measureViewer(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "culprit-bench-"));
  const state = await openSqliteState({ path: join(folder, "state.sqlite") });
  try {
    const now = Date.now();
    const owner = { email: "owner@example.com", name: "Owner", passwordHash: "x" };
    await state.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: now });
    const token = randomBytes(32).toString("base64url");
    const session = { tokenHash: hashToken(token), userId: 1, createdAt: now, expiresAt: now + 30 * 86_400_000 };
    await state.people.createSession({ ...session, userAgent: null });
    const cookie = (await serializeSession(token, { isSecure: false })).split(";", 1)[0] ?? "";
    const request = new Request("http://localhost/issues", { headers: { cookie } });
    const providerClient = { renew: () => Promise.reject(new Error("this session has no provider")) };
    const { people, providerSignIns } = state;
    const asked = { request, isSecure: false, proxyIdentity: null, now };
    const rounds: number[] = [];
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      for (let count = 0; count < REQUESTS; count++)
        await getViewer({ people, providerSignIns, providerClient }, asked);
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / 1_000 / REQUESTS);
    }
    return rounds;
  } finally {
    await state.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
