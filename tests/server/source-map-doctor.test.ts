import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { checkCommand } from "../../app/features/source-maps/set-up-snippets.ts";
import { makeZip } from "../../app/symbolicate/fixtures/make-zip.ts";
import type { buildCheckAnswer, eventDoctorAnswer, releaseDoctorAnswer } from "../../app/web-api/doctor-answers.ts";
import {
  expectAsDocumented,
  getJson,
  send,
  sendEnvelope,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { makeToken } from "../support/make-token.ts";
import { CLI_VERSIONS, findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { createUploadClient, makeArtifactBundle, sha1, toChunk } from "../support/upload-client.ts";

type EventDoctor = z.output<typeof eventDoctorAnswer>;
type ReleaseDoctor = z.output<typeof releaseDoctorAnswer>;
type BuildCheck = z.output<typeof buildCheckAnswer>;

const DOCTOR = "/projects/default/shop/sourcemaps/doctor/";
const EMPTY_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
const run = promisify(execFile);
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function upload(bundle: Buffer, body: Record<string, unknown> = {}): Promise<void> {
  const client = createUploadClient(server);
  expect((await client.postChunks([toChunk(bundle)])).status).toBe(200);
  const checksum = sha1(bundle);
  const answer = await client.assemble({ projects: ["shop"], checksum, chunks: [checksum], ...body });
  expect(await answer.json()).toMatchObject({ state: "ok" });
}

/** One exception with the frames of one file. */
async function store(
  path: string,
  { debugId, frames = 2, ...more }: { debugId?: string; frames?: number; release?: string; dist?: string },
): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({
    platform: "javascript",
    ...more,
    exception: {
      values: [
        {
          type: "Error",
          value: path,
          stacktrace: {
            frames: Array.from({ length: frames }, () => ({
              abs_path: path,
              lineno: 1,
              colno: 1,
              function: "a",
              in_app: true,
            })),
          },
        },
      ],
    },
    ...(debugId === undefined
      ? {}
      : { debug_meta: { images: [{ type: "sourcemap", code_file: path, debug_id: debugId }] } }),
  });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId);
  return eventId;
}

/** The status and the sentence of an answer that is checked against the document. */
async function ask<Answer>(query: string): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${server.url}/api/0${DOCTOR}?${query}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  await expectAsDocumented(server, "GET", DOCTOR, response);
  return { status: response.status, body: (await response.json()) as Answer };
}

describe("of an event", () => {
  test("says step by step why its frames wait, and that they do not any more once the map is there", async () => {
    const debugId = crypto.randomUUID();
    const eventId = await store("https://shop.example/app.js", { debugId });
    const before = await getJson<EventDoctor>(server, `${DOCTOR}?event=${eventId}`);
    expect(before).toMatchObject({
      eventID: eventId,
      ok: false,
      failure: null,
      summary: [`All 2 frames wait for the source map of debug id ${debugId}.`],
      fixes: [{ command: `sentry-cli --url ${server.url} sourcemaps upload --org default --project shop ./dist` }],
    });
    expect(before.files[0]?.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      "event found",
      "upload not_uploaded_yet",
      "generated-file skipped",
      "source-map skipped",
      "mapping skipped",
    ]);
    expect(before.files[0]?.steps[0]?.facts).toEqual({ "debug id": [debugId] });
    expect(before.frames.map(({ stack, frame, readable }) => [stack, frame, readable])).toEqual([
      ["exception[0]", 0, false],
      ["exception[0]", 1, false],
    ]);

    await upload(makeArtifactBundle({ debugId }));
    const after = await waitFor("the map", async () => {
      const answer = await getJson<EventDoctor>(server, `${DOCTOR}?event=${eventId}`);
      return answer.ok && answer;
    });
    expect(after).toMatchObject({ summary: [], fixes: [], files: [{ mapped: true }] });
    expect(after.frames[0]).toMatchObject({ state: "found", readable: true, source: "app.ts", sourceLine: 1 });
  });

  test("by an id that is none, or of no event, is refused", async () => {
    expect(await ask("event=xyz")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("event id") },
    });
    expect((await ask(`event=${"0".repeat(32)}`)).status).toBe(404);
    expect(await ask(`event=${"0".repeat(32)}&release=1`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("event:") },
    });
  });
});

describe("of a project that allows its server to fetch", () => {
  test("is off until it is asked for, and never leads into the network that the server is in", async () => {
    const requests: string[] = [];
    const inside = createServer((req, res) => {
      requests.push(req.url ?? "");
      res.end("f();\n//# sourceMappingURL=app.js.map\n");
    });
    await new Promise<void>((done) => inside.listen(0, "127.0.0.1", done));
    try {
      const { port } = inside.address() as AddressInfo;
      const paths = [
        `http://127.0.0.1:${port}/app.js`,
        "http://127.0.0.1/app.js",
        "http://0x7f000001/app.js",
        "http://[::ffff:127.0.0.1]/app.js",
        "http://localhost/app.js",
        "http://169.254.169.254/latest/meta-data.js",
      ];
      const ids = await Promise.all(paths.map((path) => store(path, { release: "shop@9", frames: 1 })));
      const doctorsOf = () => Promise.all(ids.map((id) => getJson<EventDoctor>(server, `${DOCTOR}?event=${id}`)));
      const factsOf = (doctor: EventDoctor) => doctor.files[0]?.steps[1]?.facts["asked the application for"];
      expect((await doctorsOf()).map(factsOf)).toEqual(paths.map(() => undefined));

      const project = await getJson<{ scrapeJavaScript: boolean }>(server, "/projects/default/shop/");
      expect(project.scrapeJavaScript).toBe(false);
      const changed = await send(server, "PUT", "/projects/default/shop/", { scrapeJavaScript: true });
      expect(await changed.json()).toMatchObject({ scrapeJavaScript: true });
      const doctors = await waitFor("what was refused", async () => {
        const found = await doctorsOf();
        return found.every((doctor) => factsOf(doctor) !== undefined) && found;
      });
      expect(doctors.map(factsOf)).toEqual([
        [`${paths[0]}: port ${port} is neither 80 nor 443`],
        ...paths.slice(1).map(() => [expect.stringMatching(/ is not at a public address$/)]),
      ]);
      expect(doctors[1]?.files[0]?.steps[1]?.text).toContain(
        "http://127.0.0.1/app.js is not fetched: 127.0.0.1 is not at a public address.",
      );
      expect(requests).toEqual([]);
    } finally {
      await send(server, "PUT", "/projects/default/shop/", { scrapeJavaScript: false });
      await new Promise((done) => inside.close(done));
    }
  });
});

describe("of a release", () => {
  test("says what waits and what was uploaded, also for one dist", async () => {
    const release = "shop@7.0";
    await store("https://shop.example/assets/waits.js", { release, dist: "2" });
    await upload(makeArtifactBundle(), { version: release, dist: "1" });
    const found = await waitFor("what waits", async () => {
      const answer = await getJson<ReleaseDoctor>(server, `${DOCTOR}?${new URLSearchParams({ release })}`);
      return answer.wanted.length > 0 && answer;
    });
    expect(found).toMatchObject({
      release,
      dist: null,
      ok: false,
      wanted: [
        {
          debugId: null,
          releases: [{ version: release, dist: "2" }],
          events: 1,
          issueCount: 1,
          sampleUrl: "https://shop.example/assets/waits.js",
          uploaded: false,
          text: `Nothing that was uploaded answers for a source map of release ${release}, dist 2.`,
        },
      ],
      uploads: [{ files: 2, releases: [{ version: release, dist: "1" }] }],
    });
    expect(found.wanted[0]?.fixes.at(-1)?.command).toContain(
      `--release ${release} --dist 2 --url-prefix '~/assets/' ./dist`,
    );
    const ofDist = await getJson<ReleaseDoctor>(server, `${DOCTOR}?${new URLSearchParams({ release, dist: "1" })}`);
    expect([ofDist.ok, ofDist.wanted.length, ofDist.uploads.length]).toEqual([true, 0, 1]);
  });

  test("nobody has heard of is empty, and a question without a subject is refused", async () => {
    expect(await ask("release=never")).toMatchObject({ status: 200, body: { ok: true, wanted: [], uploads: [] } });
    expect(await ask("")).toMatchObject({
      status: 400,
      body: { detail: "name one of event, release and debugId" },
    });
    expect(await ask("dist=1")).toMatchObject({ status: 400, body: { detail: "dist: needs a release beside it" } });
  });
});

describe("of a build", () => {
  test("is answered 200 when every map is there, else 409, by GET, JSON and form alike", async () => {
    const [here, missing] = [crypto.randomUUID(), crypto.randomUUID()];
    await upload(makeArtifactBundle({ debugId: here }));
    expect(await ask<BuildCheck>(`debugId=${here}&debugId=${here.replaceAll("-", "").toUpperCase()}`)).toMatchObject({
      status: 200,
      body: {
        ok: true,
        detail: "All source maps are there, of 1 debug id.",
        debugIds: [{ debugId: here, state: "found", url: "~/app.js.map", dateUploaded: expect.any(String) }],
        fixes: [],
      },
    });
    const lacking = {
      ok: false,
      detail: `1 of 2 debug ids has no source map here that can be used: ${missing}`,
      debugIds: [{ state: "found" }, { debugId: missing, state: "missing", url: null }],
    };
    expect(await ask(`debugId=${here}&debugId=${missing}`)).toMatchObject({ status: 409, body: lacking });

    const posted = await send(server, "POST", DOCTOR, { debugIds: [here, missing], release: "shop@1" });
    expect([posted.status, await posted.json()]).toMatchObject([409, { ...lacking, release: "shop@1" }]);
    const form = await fetch(`${server.url}/api/0${DOCTOR}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: new URLSearchParams([
        ["debugId", here],
        ["debugId", missing],
      ]),
    });
    expect([form.status, await form.json()]).toMatchObject([409, lacking]);
  });

  test("a script without a map of its own does not pass; one that carries its map does", async () => {
    const [bare, inline] = [crypto.randomUUID(), crypto.randomUUID()];
    const map = { version: 3, sources: ["a.ts"], sourcesContent: ["f();"], names: [], mappings: "AAAA" };
    const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
    const files = (debugId: string, name: string, content: string) =>
      makeZip([
        { path: `_/_/${name}`, content },
        {
          path: "manifest.json",
          content: JSON.stringify({
            files: {
              [`_/_/${name}`]: { type: "minified_source", url: `~/${name}`, headers: { "debug-id": debugId } },
            },
          }),
        },
      ]);
    await upload(files(bare, "bare.js", "f();\n"));
    const comment = `//# sourceMappingURL=data:application/json;base64,${encoded}`;
    await upload(files(inline, "inline.js", `f();\n${comment}\n`));
    expect(await ask<BuildCheck>(`debugId=${bare}&debugId=${inline}`)).toMatchObject({
      status: 409,
      body: {
        debugIds: [
          {
            state: "mismatch",
            text: expect.stringContaining("~/bare.js was uploaded with this debug id, but no source map"),
          },
          { state: "found", text: "Found: in the script itself." },
        ],
      },
    });
  });

  test("a script that names no map passes where those of other scripts came with it", async () => {
    const [runtime, forgotten, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const file = (name: string, type: string, debugId: string, more: Record<string, string> = {}) => ({
      [`_/_/${name}`]: { type, url: `~/${name}`, headers: { "debug-id": debugId, ...more } },
    });
    const manifest = {
      ...file("runtime.js", "minified_source", runtime),
      ...file("forgotten.js", "minified_source", forgotten, { sourcemap: "forgotten.js.map" }),
      ...file("other.js.map", "source_map", other),
    };
    await upload(
      makeZip([
        ...Object.keys(manifest).map((path) => ({ path, content: path.endsWith(".map") ? EMPTY_MAP : "f();\n" })),
        { path: "manifest.json", content: JSON.stringify({ files: manifest }) },
      ]),
    );
    expect(await ask<BuildCheck>(`debugId=${runtime}&debugId=${other}`)).toMatchObject({
      status: 200,
      body: { debugIds: [{ state: "skipped", text: expect.stringContaining("~/runtime.js") }, { state: "found" }] },
    });
    expect(await ask<BuildCheck>(`debugId=${runtime}&debugId=${forgotten}`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("1 of 2 debug ids"), debugIds: [{}, { state: "mismatch" }] },
    });
  });

  test("a map that cannot be read does not pass, and what waits for it is told why", async () => {
    const debugId = crypto.randomUUID();
    const file = (name: string, type: string) => ({
      [`_/_/${name}`]: { type, url: `~/${name}`, headers: { "debug-id": debugId } },
    });
    const manifest = { files: { ...file("cut.js", "minified_source"), ...file("cut.js.map", "source_map") } };
    await upload(
      makeZip([
        { path: "_/_/cut.js", content: "f();\n" },
        { path: "_/_/cut.js.map", content: EMPTY_MAP.slice(0, -5) },
        { path: "manifest.json", content: JSON.stringify(manifest) },
      ]),
    );
    const text = "The source map cannot be used: the source map is malformed: cut off inside a text.";
    expect(await ask<BuildCheck>(`debugId=${debugId}`)).toMatchObject({
      status: 409,
      body: { debugIds: [{ state: "mismatch", text, url: "~/cut.js.map" }] },
    });
    const release = "shop@cut";
    await store("https://shop.example/cut.js", { release, debugId });
    const found = await waitFor("what waits", async () => {
      const answer = await getJson<ReleaseDoctor>(server, `${DOCTOR}?${new URLSearchParams({ release })}`);
      // A look that is not answered in time says less.
      return answer.wanted[0]?.text.includes("cannot be used") && answer;
    });
    expect(found).toMatchObject({
      ok: false,
      wanted: [
        {
          debugId,
          uploaded: true,
          text: `Was uploaded. ${text}`,
          fixes: [{ text: expect.stringContaining("Build again") }],
        },
      ],
    });
  });

  test("what is no debug id is refused by its name", async () => {
    const detailOf = async (response: Promise<Response>) => [
      (await response).status,
      ((await (await response).json()) as { detail: string }).detail,
    ];
    expect(await ask("debugId=x")).toMatchObject({
      status: 400,
      body: { detail: 'debugId[0]: "x" is no debug id, which has 32 hexadecimal digits' },
    });
    expect(await detailOf(send(server, "POST", DOCTOR, { debugIds: [crypto.randomUUID(), "y"] }))).toEqual([
      400,
      'debugIds[1]: "y" is no debug id, which has 32 hexadecimal digits',
    ]);
    expect(await detailOf(send(server, "POST", DOCTOR, { debugIds: [] }))).toEqual([
      400,
      "debugIds: must name at least one debug id",
    ]);
    const many = Array.from({ length: 5_001 }, () => "0".repeat(32));
    expect((await detailOf(send(server, "POST", DOCTOR, { debugIds: many })))[0]).toBe(400);
    expect((await detailOf(send(server, "POST", DOCTOR, { debugIds: many.slice(1) })))[0]).toBe(409);
  });

  test("needs a token that may read the project; that of a build may ask for its build alone", async () => {
    const token = await makeToken(server, { scopes: ["org:ci"] });
    const response = await fetch(`${server.url}/api/0${DOCTOR}?release=x`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { detail: expect.stringContaining("needs the scope project:read") },
    ]);
    const asked = await send({ ...server, token }, "POST", DOCTOR, { debugIds: [crypto.randomUUID()] });
    expect(asked.status).toBe(409);
  });
});

describe("the check of a pipeline", () => {
  /** Runs what the page and the docs show, in a folder with `dist`. */
  async function check(cwd: string, token: string): Promise<{ code: number; output: string }> {
    const command = checkCommand({ serverUrl: server.url, org: "default", project: "shop" }, "./dist");
    const env = { PATH: process.env.PATH, SENTRY_AUTH_TOKEN: token };
    try {
      const { stdout, stderr } = await run("sh", ["-c", command], { cwd, env });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  }

  test.each(CLI_VERSIONS.filter((version) => findSentryCli(version) !== null))(
    "lists the debug ids that sentry-cli %s has injected, fails before the upload and passes after it",
    async (version) => {
      using folder = makeTempFolder();
      const dist = join(folder.path, "dist/assets");
      mkdirSync(dist, { recursive: true });
      const bundles = resolve("tests/fixtures/bundles");
      for (const name of readdirSync(bundles).filter((each) => /\.js(?:\.map)?$/.test(each)))
        cpSync(join(bundles, name), join(dist, name));
      // Ids differ between the versions, and from what other tests have uploaded.
      for (const name of readdirSync(dist).filter((each) => each.endsWith(".js")))
        writeFileSync(join(dist, name), `/* ${crypto.randomUUID()} */${readFileSync(join(dist, name), "utf8")}`);
      for (const name of readdirSync(dist).filter((each) => each.endsWith(".map"))) {
        const map = JSON.parse(readFileSync(join(dist, name), "utf8"));
        writeFileSync(join(dist, name), JSON.stringify({ ...map, file: crypto.randomUUID() }));
      }
      const token = await makeToken(server, { scopes: ["org:ci"] });

      const empty = await check(folder.path, token);
      expect(empty.code).toBe(22);
      expect(empty.output).toContain("was the build injected with debug ids");

      const cli = (...args: string[]) => runSentryCli(version, args, { url: server.url, token, cwd: folder.path });
      expect(await cli("sourcemaps", "inject", "./dist")).toMatchObject({ code: 0 });
      const before = await check(folder.path, token);
      expect(before.code).toBe(22);
      expect(before.output).toContain("4 of 4 debug ids have no source map here");

      expect(await cli("sourcemaps", "upload", "./dist")).toMatchObject({ code: 0 });
      const after = await check(folder.path, token);
      expect(after).toMatchObject({ code: 0 });
      expect(after.output).toContain("All source maps are there, of 4 debug ids.");
    },
  );

  test("finds the ids of files that a bundler's plugin has injected", async () => {
    using folder = makeTempFolder();
    mkdirSync(join(folder.path, "dist"));
    const id = crypto.randomUUID();
    const snippet = `!function(){try{var e=globalThis,n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${id}",e._sentryDebugIdIdentifier="sentry-dbid-${id}")}catch(e){}}();`;
    writeFileSync(join(folder.path, "dist/index-Dk3a9f_2.js"), `${snippet}f();\n`);
    await upload(makeArtifactBundle({ debugId: id }));
    const token = await makeToken(server, { scopes: ["project:read"] });
    const checked = await check(folder.path, token);
    expect(checked.output).toContain("of 1 debug id.");
    expect(checked.code).toBe(0);
  });
});
