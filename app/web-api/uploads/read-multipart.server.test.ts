import { expect, test } from "vitest";
import { type MultipartFile, readMultipart } from "./read-multipart.server.ts";

const limits = { maxFiles: 3, maxFileBytes: 1000, maxBytes: 100_000 };
const BODY = Buffer.from(
  [
    "a preamble that nobody reads",
    "--b",
    'content-disposition: form-data; name="file"; filename="first"',
    "content-type: application/octet-stream",
    "",
    "one\r\n--\r\n--xb",
    "--b",
    'content-disposition: form-data; name="dist"',
    "",
    "7",
    "--b",
    'content-disposition: form-data; name="file_gzip"; filename="~/second.js"',
    "",
    "",
    "--b--",
    "an epilogue, too",
    "",
  ].join("\r\n"),
);

function toRequest(pieces: Uint8Array[], contentType = "multipart/form-data; boundary=b"): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { "content-type": contentType },
    body,
    duplex: "half",
  };
  return new Request("http://x/", init);
}

async function read(request: Request, onFile: (file: MultipartFile) => Promise<void> = async () => {}) {
  const files: Array<[string, string, string]> = [];
  const fields = await readMultipart(request, limits, async (file) => {
    files.push([file.name, file.fileName, file.content.toString("utf8")]);
    await onFile(file);
  });
  return { files, fields };
}

const EXPECTED = {
  files: [
    ["file", "first", "one\r\n--\r\n--xb"],
    ["file_gzip", "~/second.js", ""],
  ],
  fields: [["dist", "7"]],
};

test("gives files and fields, whole, a byte at a time, and cut in two anywhere", async () => {
  expect(await read(toRequest([BODY]))).toEqual(EXPECTED);
  expect(await read(toRequest([...BODY].map((byte) => Uint8Array.of(byte))))).toEqual(EXPECTED);
  for (let at = 1; at < BODY.length; at++)
    expect(await read(toRequest([BODY.subarray(0, at), BODY.subarray(at)])), `cut at ${at}`).toEqual(EXPECTED);
});

test("one file after the other: the next waits until the one before is done", async () => {
  let working = 0;
  let most = 0;
  await read(toRequest([BODY]), async () => {
    working += 1;
    most = Math.max(most, working);
    await new Promise((wake) => setTimeout(wake, 5));
    working -= 1;
  });
  expect(most).toBe(1);
});

test("what a file is refused for is the answer, also of the last one, and those after it are not looked at", async () => {
  for (const [refused, looked] of [
    ["file", 1],
    ["file_gzip", 2],
  ] as const) {
    let count = 0;
    const reason = new Response(null, { status: 418 });
    const reading = read(toRequest([BODY]), async ({ name }) => {
      count += 1;
      if (name === refused) throw reason;
    });
    await expect(reading).rejects.toBe(reason);
    expect(count).toBe(looked);
  }
});

test("a body that breaks off anywhere before its end is refused, and so is one of another kind", async () => {
  const end = BODY.indexOf("--b--") + "--b--".length;
  const kept: number[] = [];
  for (let at = 0; at < end; at++) {
    const answer = await read(toRequest([BODY.subarray(0, at)])).catch((error: unknown) => error);
    if (!(answer instanceof Response) || answer.status !== 400) kept.push(at);
  }
  expect(kept).toEqual([]);
  for (const contentType of ["application/json", "multipart/mixed; boundary=b"])
    await expect(read(toRequest([BODY], contentType))).rejects.toMatchObject({ status: 415 });
  await expect(read(toRequest([BODY], "multipart/form-data"))).rejects.toMatchObject({ status: 400 });
});

test("a body with very many parts that are neither files nor fields is refused", async () => {
  const body = (parts: number) => Buffer.from(`--b${"\r\n\r\n\r\n--b".repeat(parts)}--\r\n`);
  expect(await read(toRequest([body(53)]))).toEqual({ files: [], fields: [] });
  await expect(read(toRequest([body(54)]))).rejects.toMatchObject({ status: 413 });
});

test("limits hold: bytes of a file and of the body, files, fields", async () => {
  const part = (name: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
  const file = (content: string) => part('file"; filename="f', content);
  const sent = (parts: string) => read(toRequest([Buffer.from(`${parts}--b--\r\n`)]));
  expect((await sent(file("x".repeat(1000)).repeat(3))).files).toHaveLength(3);
  await expect(sent(file("x".repeat(1001)))).rejects.toMatchObject({ status: 413 });
  await expect(sent(file("x").repeat(4))).rejects.toMatchObject({ status: 413 });
  await expect(sent(part("field", "x").repeat(51))).rejects.toMatchObject({ status: 413 });
  await expect(sent(part("field", "x".repeat(70_000)))).rejects.toMatchObject({ status: 413 });
  await expect(sent(part("field", "x".repeat(60_000)).repeat(2))).rejects.toMatchObject({ status: 413 });
});
