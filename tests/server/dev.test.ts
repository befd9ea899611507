import { spawn } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const root = new URL("../..", import.meta.url).pathname;
const TOKEN = "token-of-the-developer";
const OWNER = { email: "owner@example.com", password: "correct horse battery" };

/** A checkout that the tests may edit. */
const checkout = makeTempFolder();
const COPIED = [
  "app",
  "public",
  "scripts",
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
  "react-router.config.ts",
];
let server: { url: string; dsn: string | null; token: string; owner: typeof OWNER; stop: () => Promise<unknown> };
let said = "";

beforeAll(async () => {
  for (const name of [...COPIED, "instrument.server.ts"]) {
    cpSync(join(root, name), join(checkout.path, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(checkout.path, "node_modules"));
  // As `npm run dev` does.
  const child = spawn(join(root, "node_modules/.bin/react-router"), ["dev"], {
    cwd: checkout.path,
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_FORMAT: "json",
      CULPRIT_ADMIN: `${OWNER.email}:${OWNER.password}`,
      CULPRIT_PROJECT: "shop",
      CULPRIT_TOKEN: TOKEN,
      MIN_FREE_DISK_BYTES: "0",
      SENTRY_DSN: "off",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const collect = (chunk: Buffer) => {
    said += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise((done) => child.once("exit", done));
  const dsn = await waitFor("the DSN", async () => /"dsn":"([^"]+)"/.exec(said)?.[1]).catch((cause: unknown) => {
    throw new Error(said, { cause });
  });
  server = {
    url: new URL(dsn).origin.replace("localhost", "127.0.0.1"),
    dsn,
    token: TOKEN,
    owner: OWNER,
    async stop() {
      // The command starts another process, which would be left behind.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
});
afterAll(async () => {
  await server.stop();
  checkout[Symbol.dispose]();
});

function edit(file: string, change: (text: string) => string): void {
  const path = join(checkout.path, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

function countRestarts(): number {
  return said.split("the engine runs again").length - 1;
}

async function titleOfEvent(): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message: "edited while it runs" });
  const answer = await sendEnvelope(server, envelope);
  expect(answer.status).toBe(200);
  return waitFor("the event", async () => {
    const event = await getJson<{ title: string }>(server, `/projects/default/shop/events/${eventId}/`);
    return event.title;
  });
}

test("an edit of the digest restarts the engine, and pages stay what they are", async () => {
  const { cookie } = await signIn(server);
  expect(await titleOfEvent()).toBe("edited while it runs");
  const live = await fetch(`${server.url}/live`, { headers: { cookie } });
  edit("app/grouping/title-and-culprit.ts", (text) =>
    text.replace("    title: titleOf(", '    title: "EDITED " + titleOf('),
  );
  await waitFor("a restart", async () => countRestarts() === 1);
  expect(await titleOfEvent()).toBe("EDITED edited while it runs");
  // Browsers come back to the new engine by themselves when their stream ends.
  await expect(live.text()).rejects.toThrow();
  const page = await fetch(`${server.url}/issues`, { headers: { cookie } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("EDITED edited while it runs")]);
});

test("an edit of ingest takes effect, and what is asked meanwhile is answered after it", async () => {
  edit("app/ingest/create-ingest.ts", (text) => `${text}\nprocess.emitWarning("edited ingest");\n`);
  await waitFor("a restart", async () => {
    const { envelope } = toEventEnvelope({ message: "sent all the time" });
    expect((await sendEnvelope(server, envelope)).status).toBe(200);
    return countRestarts() === 2;
  });
  expect(said).toContain("edited ingest");
  // Threads of the new engine have loaded their code now, and the next edit is none of theirs.
  await titleOfEvent();
});

test("an edit that does not load leaves the engine as it was; one that does not open fails requests until the next", async () => {
  const file = "app/stores/sqlite/open-sqlite-state.ts";
  const mistake = "\nconst is this a mistake;\n";
  const failure = '  throw new Error("broken by an edit");\n';
  edit(file, (text) => text + mistake);
  await waitFor("the log", async () => said.includes("the edited engine does not start"));
  expect(await titleOfEvent()).toBe("EDITED edited while it runs");

  // A restart takes some seconds: what mends the first mistake makes the second.
  edit(file, (text) =>
    text
      .replace(mistake, "")
      .replace(/(export async function openSqliteState\([\s\S]*?\{\n)(?= {2}\w)/, `$1${failure}`),
  );
  await waitFor("the failure", async () => {
    const answer = await fetch(`${server.url}/sign-in`);
    return answer.status === 500 && (await answer.text()).includes("broken by an edit");
  });
  edit(file, (text) => text.replace(failure, ""));
  await waitFor("a restart", async () => countRestarts() === 3);
  expect(await titleOfEvent()).toBe("EDITED edited while it runs");
});
