import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { FULL_DISK } from "../../app/domain/full-disk.ts";
import { makeZip } from "../../app/symbolicate/fixtures/make-zip.ts";
import { expectAsDocumented, getJson, send, waitFor } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import {
  type ChunkPart,
  createUploadClient,
  cut,
  makeArtifactBundle,
  sha1,
  toChunk,
  toGzipChunk,
  type UploadClient,
} from "../support/upload-client.ts";

interface ChunkOptions {
  url: string;
  chunkSize: number;
  chunksPerRequest: number;
  maxRequestSize: number;
}

let server: TestServer;
let client: UploadClient;
let options: ChunkOptions;

beforeAll(async () => {
  server = await startServer();
  client = createUploadClient(server);
  options = await getJson<ChunkOptions>(server, "/organizations/default/chunk-upload/");
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function refusalOf(response: Promise<Response>): Promise<[status: number, detail: string]> {
  const answer = await response;
  await expectAsDocumented(server, "POST", new URL(answer.url).pathname.slice("/api/0".length), answer);
  const { detail } = (await answer.json()) as { detail: string };
  return [answer.status, detail];
}

async function assembled(body: Record<string, unknown>) {
  const response = await client.assemble({ projects: ["shop"], ...body });
  await expectAsDocumented(server, "POST", "/organizations/default/artifactbundle/assemble/", response);
  return (await response.json()) as { state: string; missingChunks: string[]; detail: string | null };
}

/** Uploads as tools do: asks what is missing, sends that, asks again. */
async function upload(bundle: Buffer, body: Record<string, unknown> = {}) {
  const chunks = cut(bundle, options.chunkSize);
  const question = { checksum: sha1(bundle), chunks: chunks.map(sha1), ...body };
  const { missingChunks } = await assembled(question);
  const missing = chunks.filter((chunk) => missingChunks.includes(sha1(chunk)));
  for (let at = 0; at < missing.length; at += 8) {
    const response = await client.postChunks(missing.slice(at, at + 8).map(toChunk));
    expect([response.status, await response.text()]).toEqual([200, "[]"]);
  }
  return assembled(question);
}

describe("chunks", () => {
  test("the options name where to send them, by the address that the client used", () => {
    expect(options).toMatchObject({
      url: `${server.url}/api/0/organizations/default/chunk-upload/`,
      hashAlgorithm: "sha1",
      compression: ["gzip"],
      accept: expect.arrayContaining(["artifact_bundles", "artifact_bundles_v2", "release_files"]),
    });
    expect(Math.log2(options.chunkSize) % 1).toBe(0);
  });

  test("come plain and gzipped, up to the limits exactly", async () => {
    const largest = randomBytes(options.chunkSize);
    const parts = Array.from({ length: options.chunksPerRequest - 2 }, () => toChunk(randomBytes(10)));
    parts.push(toChunk(largest), toGzipChunk(Buffer.alloc(options.chunkSize, "a")));
    expect((await client.postChunks(parts)).status).toBe(200);
    expect((await client.postChunks(parts)).status).toBe(200);
    const names = parts.map(({ fileName }) => fileName);
    const { missingChunks } = await assembled({ checksum: sha1(Buffer.from("x")), chunks: [...names, "0".repeat(40)] });
    expect(missingChunks).toEqual(["0".repeat(40)]);
  });

  test("over a limit, or not what they say they are, are refused with the limit or the chunk named", async () => {
    const chunk = randomBytes(100);
    const cases: Array<[ChunkPart[], number, RegExp]> = [
      [[toChunk(randomBytes(options.chunkSize + 1))], 413, new RegExp(`over ${options.chunkSize} bytes`)],
      [[toGzipChunk(Buffer.alloc(options.chunkSize + 1))], 413, new RegExp(`over ${options.chunkSize} bytes`)],
      // A bomb: 200 MB of zeros in 200 KB.
      [[{ ...toChunk(chunk), name: "file_gzip", content: gzipSync(Buffer.alloc(200 * MIB)) }], 413, /over \d+ bytes/],
      [Array.from({ length: options.chunksPerRequest + 1 }, () => toChunk(randomBytes(9))), 413, /over 64 files/],
      [[{ ...toChunk(chunk), fileName: sha1(randomBytes(3)) }], 400, /has the SHA-1/],
      [[{ ...toChunk(chunk), fileName: "../../../etc/passwd" }], 400, /must be the SHA-1/],
      [[{ ...toChunk(chunk), name: "file_gzip" }], 400, /is not gzip/],
      [[{ ...toChunk(chunk), name: "other" }], 400, /named file or file_gzip/],
    ];
    for (const [parts, status, detail] of cases) {
      expect(await refusalOf(client.postChunks(parts))).toEqual([status, expect.stringMatching(detail)]);
    }
  });

  test("a body that is no form, or ends early, is refused", async () => {
    const post = (body: string, contentType: string) =>
      fetch(`${server.url}/api/0/organizations/default/chunk-upload/`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.token}`, "content-type": contentType },
        body,
      });
    expect(await refusalOf(post("{}", "application/json"))).toEqual([415, expect.stringContaining("multipart")]);
    expect(await refusalOf(post("x", "multipart/form-data"))).toEqual([400, expect.stringContaining("boundary")]);
    const begun = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nhalf';
    expect((await post(begun, "multipart/form-data; boundary=b")).status).toBe(400);
    expect((await post("no parts at all", "multipart/form-data; boundary=b")).status).toBe(400);
  });

  test("a body over the limit is refused by its length, before it has come", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const answer = new Promise<string>((done) => socket.once("data", (data) => done(data.toString("utf8"))));
    socket.write(
      "POST /api/0/organizations/default/chunk-upload/ HTTP/1.1\r\nhost: x\r\n" +
        `authorization: Bearer ${server.token}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: ${options.maxRequestSize * 2}\r\n\r\n--b\r\n`,
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});

describe("artifact bundles", () => {
  test("are assembled of several chunks, and known from then on", async () => {
    const bundle = makeArtifactBundle({ extraBytes: 3 * options.chunkSize });
    expect(await assembled({ checksum: sha1(bundle), chunks: [] })).toMatchObject({ state: "not_found" });
    expect(await upload(bundle, { version: "several@1.0", dist: "d" })).toEqual({
      state: "ok",
      missingChunks: [],
      detail: null,
    });
    expect(await assembled({ checksum: sha1(bundle), chunks: [] })).toMatchObject({ state: "ok" });
    const files = await getJson<Array<{ name: string; dist: string }>>(
      server,
      "/organizations/default/releases/several@1.0/files/",
    );
    expect(files.map(({ name, dist }) => [name, dist])).toEqual([
      ["~/app.js", "d"],
      ["~/app.js.map", "d"],
    ]);
  });

  test("an upload that is there already gains the release that it comes for again", async () => {
    const bundle = makeArtifactBundle();
    await upload(bundle, { version: "gained-1" });
    expect(await upload(bundle, { version: "gained-2" })).toMatchObject({ state: "ok" });
    for (const version of ["gained-1", "gained-2"]) {
      expect(await getJson(server, `/projects/default/shop/releases/${version}/files/`)).toHaveLength(2);
    }
  });

  test("an upload whose bytes were lost is taken again", async () => {
    const bundle = makeArtifactBundle();
    await upload(bundle);
    rmSync(join(server.dataDir, "blobs", sha1(bundle).slice(0, 2), sha1(bundle)));
    rmSync(join(server.dataDir, "chunks", sha1(bundle).slice(0, 2), sha1(bundle)));
    expect(await assembled({ checksum: sha1(bundle), chunks: [sha1(bundle)] })).toMatchObject({ state: "not_found" });
    expect(await upload(bundle)).toMatchObject({ state: "ok" });
    expect(existsSync(join(server.dataDir, "blobs", sha1(bundle).slice(0, 2), sha1(bundle)))).toBe(true);
  });

  test("what cannot be used is said, and tried again when it comes better", async () => {
    const noArchive = randomBytes(500);
    expect(await upload(noArchive)).toMatchObject({ state: "error", detail: expect.stringMatching(/archive|zip/i) });
    const bundle = makeArtifactBundle();
    const cutShort = bundle.subarray(0, bundle.length - 30);
    expect(await upload(cutShort)).toMatchObject({ state: "error", detail: expect.any(String) });
    const other = randomBytes(10);
    await client.postChunks([toChunk(other)]);
    expect(await assembled({ checksum: sha1(bundle), chunks: [sha1(other)] })).toMatchObject({
      state: "error",
      detail: expect.stringContaining("SHA-1"),
    });
    expect(await upload(bundle)).toMatchObject({ state: "ok" });
  });

  test("a body that is wrong is refused with the field named", async () => {
    const good = { checksum: sha1(Buffer.from("x")), chunks: [], projects: ["shop"] };
    const cases: Array<[Record<string, unknown>, RegExp]> = [
      [{ ...good, checksum: "x" }, /^checksum: must be a SHA-1/],
      [{ ...good, chunks: ["0".repeat(40), "../x"] }, /^chunks\[1\]: must be a SHA-1/],
      [{ ...good, chunks: "all" }, /^chunks: /],
      [{ ...good, projects: ["nowhere"] }, /there is no project "nowhere"/],
      [{ ...good, projects: [], chunks: ["0".repeat(40)] }, /^projects: /],
      [{ ...good, version: "a/b" }, /^version: /],
    ];
    for (const [body, detail] of cases)
      expect(await refusalOf(client.assemble(body))).toEqual([400, expect.stringMatching(detail)]);
  });

  test("an upload that was broken off goes on where it was, also after the server was killed", async () => {
    await using first = await startServer();
    const bundle = makeArtifactBundle({ extraBytes: 2 * options.chunkSize });
    const chunks = cut(bundle, options.chunkSize);
    const [begun, ...rest] = chunks;
    const question = { checksum: sha1(bundle), chunks: chunks.map(sha1), projects: ["shop"] };
    expect((await createUploadClient(first).postChunks([toChunk(begun ?? bundle)])).status).toBe(200);
    await first.kill9();
    await using second = await startServer({ dataDir: first.dataDir });
    const after = createUploadClient(second);
    expect(await (await after.assemble(question)).json()).toMatchObject({ missingChunks: rest.map(sha1) });
    await after.postChunks(rest.map(toChunk));
    expect(await (await after.assemble(question)).json()).toMatchObject({ state: "ok" });
  });

  test("the same upload at the same time is stored once", async () => {
    const bundle = makeArtifactBundle();
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(bundle, { version: "same" })));
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(["ok"]));
    expect(await getJson(server, "/projects/default/shop/releases/same/files/")).toHaveLength(2);
  });

  test("100 uploads at once all succeed, and memory does not grow with them", async () => {
    const before = residentBytes(server.pid);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, residentBytes(server.pid));
    }, 20);
    // 100 at 2.5 MB each: a quarter of a gigabyte, were it held.
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const bundle = makeArtifactBundle({ extraBytes: 2.5 * MIB });
        return upload(bundle, { version: `many-${index % 10}` });
      }),
    );
    clearInterval(watch);
    expect(answers.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(most - before).toBeLessThan(150 * MIB);
    expect(readdirSync(join(server.dataDir, "chunks", "unfinished"))).toEqual([]);
  });
});

describe("files one by one", () => {
  async function post(version: string, fields: Array<[string, string]>, file?: [name: string, content: string]) {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    if (file) form.append("file", new Blob([file[1]]), file[0]);
    const path = `/projects/default/shop/releases/${version}/files/`;
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}/api/0${path}`, { method: "POST", headers, body: form });
    await expectAsDocumented(server, "POST", path, response);
    return response;
  }

  test("are kept with their name, dist and headers; twice is 409; deleted they are gone", async () => {
    await send(server, "POST", "/projects/default/shop/releases/", { version: "single" });
    const fields: Array<[string, string]> = [
      ["name", "~/lib.js"],
      ["dist", "7"],
      ["header", "Sourcemap:lib.js.map"],
    ];
    const made = await post("single", fields, ["lib.js", "lib();"]);
    expect(made.status).toBe(201);
    const file = (await made.json()) as { id: string };
    expect(file).toMatchObject({
      name: "~/lib.js",
      dist: "7",
      headers: { Sourcemap: "lib.js.map" },
      size: 6,
      sha1: sha1(Buffer.from("lib();")),
    });
    expect((await post("single", fields, ["lib.js", "other();"])).status).toBe(409);
    // The same content under another name is another file.
    expect((await post("single", [["name", "~/copy.js"]], ["lib.js", "lib();"])).status).toBe(201);
    const path = "/organizations/default/releases/single/files/";
    expect(await getJson(server, `${path}${file.id}/`)).toMatchObject({ name: "~/lib.js" });
    expect(await getJson(server, `${path}?query=copy`)).toMatchObject([{ name: "~/copy.js" }]);
    expect((await send(server, "DELETE", `${path}${file.id}/`)).status).toBe(204);
    expect((await send(server, "DELETE", `${path}${file.id}/`)).status).toBe(404);
    expect(await getJson(server, path)).toMatchObject([{ name: "~/copy.js" }]);
  });

  test("need a file, and a release that is there", async () => {
    await send(server, "POST", "/projects/default/shop/releases/", { version: "needs" });
    expect(await (await post("needs", [["name", "~/x.js"]])).json()).toEqual({ detail: "file: is missing" });
    expect((await post("no-such-release", [], ["x.js", "x"])).status).toBe(404);
  });

  test("those in an artifact bundle are listed, and not deleted by themselves", async () => {
    await upload(makeArtifactBundle(), { version: "in-bundle" });
    const path = "/projects/default/shop/releases/in-bundle/files/";
    const [file] = await getJson<Array<{ id: string }>>(server, path);
    const refused = await send(server, "DELETE", `${path}${file?.id}/`);
    expect([refused.status, await refused.json()]).toEqual([400, { detail: expect.stringContaining("as a whole") }]);
  });

  test("are given back as they came, also out of an artifact bundle", async () => {
    const debugId = crypto.randomUUID();
    await upload(makeArtifactBundle({ debugId }), { version: "download" });
    await post("download", [["name", "~/größe '1'.js"]], ["x.js", "größe();"]);
    const path = "/projects/default/shop/releases/download/files/";
    const files = await getJson<Array<{ id: string; name: string; size: number }>>(server, path);
    const download = async (name: string) => {
      const file = files.find((each) => each.name === name);
      const response = await fetch(`${server.url}/api/0${path}${file?.id}/?download=1`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      await expectAsDocumented(server, "GET", `${path}${file?.id}/`, response);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      const text = await response.text();
      expect(Buffer.byteLength(text)).toBe(file?.size);
      return { text, disposition: response.headers.get("content-disposition") };
    };
    expect(JSON.parse((await download("~/app.js.map")).text)).toMatchObject({ mappings: "AAAA", debug_id: debugId });
    expect(await download("~/größe '1'.js")).toEqual({
      text: "größe();",
      disposition: "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%271%27.js",
    });
  });
});

test("uploads leave of the disk what the stores need, and tools are told to try again", async () => {
  await using full = await startServer({ env: { MIN_FREE_DISK_BYTES: String(2 ** 50) } });
  const response = await createUploadClient(full).postChunks([toChunk(randomBytes(10))]);
  await expectAsDocumented(full, "POST", "/organizations/default/chunk-upload/", response);
  expect([response.status, await response.json()]).toEqual([507, { detail: FULL_DISK }]);
});

test("what is not supported says so, instead of a 404 that tools hide", async () => {
  const checksum = "a".repeat(40);
  const files = await send(server, "POST", "/projects/default/shop/files/difs/assemble/", {
    [checksum]: { name: "app.dSYM", chunks: ["b".repeat(40)] },
  });
  expect(await files.json()).toEqual({
    [checksum]: { state: "error", missingChunks: [], detail: expect.stringContaining("not supported"), dif: null },
  });
  const rest: Array<["GET" | "POST", string]> = [
    ["GET", "/projects/default/shop/files/dsyms/unknown/"],
    ["POST", "/projects/default/shop/files/proguard-artifact-releases/"],
    ["POST", "/projects/default/shop/reprocessing/"],
    ["GET", "/organizations/default/events/?dataset=replays"],
  ];
  for (const [method, path] of rest) {
    const response = await fetch(`${server.url}/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}` },
    });
    await expectAsDocumented(server, method, path, response);
    expect([response.status, await response.json()], path).toEqual([
      400,
      { detail: expect.stringMatching(/not supported|cannot search/) },
    ]);
  }
});

describe("archives of mappings, as older tools send them", () => {
  const MAPPING = "com.example.Cart -> a.a:\n";
  const UUID = "0ca8243d-c8ec-4c5a-8581-a7ca518973fe";

  async function post(archive: Uint8Array | string): Promise<[number, unknown]> {
    const path = "/projects/default/shop/files/dsyms/";
    const body = new FormData();
    body.append("file", new Blob([archive as BlobPart]), "archive.zip");
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}/api/0${path}`, { method: "POST", headers, body });
    await expectAsDocumented(server, "POST", path, response);
    return [response.status, await response.json()];
  }

  test("each mapping is stored under the id in its name", async () => {
    const archive = makeZip([{ path: `proguard/${UUID}.txt`, content: MAPPING }]);
    const stored = {
      uuid: UUID,
      objectName: "proguard-mapping",
      size: MAPPING.length,
      sha1: sha1(Buffer.from(MAPPING)),
    };
    expect(await post(archive)).toMatchObject([200, [stored]]);
    expect(await post(archive)).toMatchObject([200, [stored]]);
  });

  test.for<[what: string, archive: Uint8Array | string, detail: RegExp]>([
    [
      "native debug files",
      makeZip([{ path: "shop.dSYM", content: "x" }]),
      /shop\.dSYM: native debug files .* not supported/,
    ],
    [
      "a file that is no mapping",
      makeZip([{ path: `proguard/${UUID}.txt`, content: "PK" }]),
      /no mapping of R8 or ProGuard/,
    ],
    ["an empty archive", makeZip([]), /0 files/],
    ["something else than an archive", "PK", /not a ZIP archive/],
  ])("%s: refused with the reason", async ([, archive, detail]) => {
    expect(await post(archive)).toEqual([400, { detail: expect.stringMatching(detail) }]);
  });

  test("a mapping that came in chunks is stored once, however often it is asked for", async () => {
    const mapping = Buffer.from(`com.example.Shared -> a.b:\n`);
    const [checksum, name] = [sha1(mapping), "proguard/1ca8243d-c8ec-4c5a-8581-a7ca518973fe.txt"];
    await createUploadClient(server).postChunks([toChunk(mapping)]);
    const assemble = async () => {
      const path = `/projects/default/shop/files/difs/assemble/`;
      return await (await send(server, "POST", path, { [checksum]: { name, chunks: [checksum] } })).json();
    };
    const first = await assemble();
    expect(first).toMatchObject({ [checksum]: { state: "ok", missingChunks: [], dif: { sha1: checksum } } });
    expect(await assemble()).toEqual(first);
  });
});

test("an upload that its sender leaves in the middle holds nobody up", async () => {
  const sockets = Array.from({ length: 20 }, () => connect(server.port, "127.0.0.1"));
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.write(
      "POST /api/0/organizations/default/chunk-upload/ HTTP/1.1\r\nhost: x\r\n" +
        `authorization: Bearer ${server.token}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        "content-length: 1000000\r\nexpect: 100-continue\r\n\r\n",
    );
  }
  // The server handles them all: each has been asked for its body.
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  const half = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nhalf';
  await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.write(half, () => done()))));
  for (const socket of sockets) socket.destroy();
  const chunk = randomBytes(10);
  await waitFor("an upload after them", async () => (await client.postChunks([toChunk(chunk)])).status === 200);
  expect(server.logLines().filter(({ level }) => level >= 50)).toEqual([]);
});

function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}
