import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Busboy, { type BusboyFileStream } from "@fastify/busboy";
import { refusal } from "../answers.ts";

export interface MultipartFile {
  /** The name of the form's field. */
  name: string;
  /** The name that the sender gave. It is never used as a path. */
  fileName: string;
  content: Buffer;
}

export interface MultipartLimits {
  maxFiles: number;
  maxFileBytes: number;
  /** The size limit of the whole body. */
  maxBytes: number;
}

/** The most fields besides the files. There are a few short ones. */
const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 64 * 1024;

/**
 * Reads a multipart body as it comes, one file in memory at a time: the sender waits while `onFile` works. Gives the other
 * fields, in order.
 * @throws a 400, 413 or 415 answer that names what is wrong or over which limit; what `onFile` throws.
 */
export async function readMultipart(
  request: Request,
  limits: MultipartLimits,
  onFile: (file: MultipartFile) => Promise<void>,
): Promise<Array<[name: string, value: string]>> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType) || !request.body)
    throw refusal(415, "the body must be sent with Content-Type: multipart/form-data");
  const claimedBytes = Number(request.headers.get("content-length"));
  if (claimedBytes > limits.maxBytes) throw tooLarge("the body", limits.maxBytes);

  const fields: Array<[string, string]> = [];
  const parser = openParser(contentType, limits);
  /** Why the body is refused. Only the first reason is kept. */
  let failure: { reason: unknown } | null = null;
  const fail = (reason: unknown): void => {
    failure ??= { reason };
    // Stops reading. If everything has been read already, this has no effect.
    parser.destroy(new Error("the body was refused"));
  };
  // Each file waits for the one before it. Meanwhile the parser stops, because nobody reads its output.
  let filesSoFar = Promise.resolve();
  parser.on("file", (name, stream, fileName) => {
    // The parser itself reports what it breaks off.
    stream.on("error", () => {});
    filesSoFar = filesSoFar
      .then(async () => {
        if (failure === null) await onFile({ name, fileName, content: await collect(stream, limits, fileName) });
      })
      .catch(fail);
  });
  parser.on("field", (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) fail(refusal(413, `the field ${name.slice(0, 40)} is over ${MAX_FIELD_BYTES} bytes`));
    else fields.push([name, value]);
  });
  parser.on("filesLimit", () => fail(refusal(413, `the body has over ${limits.maxFiles} files`)));
  parser.on("fieldsLimit", () => fail(refusal(413, `the body has over ${MAX_FIELDS} fields`)));
  parser.on("partsLimit", () => fail(refusal(413, `the body has over ${limits.maxFiles + MAX_FIELDS} parts`)));
  try {
    await pipeline(Readable.from(limited(request.body, limits.maxBytes)), parser);
    await filesSoFar;
  } catch (error) {
    failure ??= { reason: toRefusal(error) };
  }
  if (failure !== null) throw (failure as { reason: unknown }).reason;
  return fields;
}

function openParser(contentType: string, { maxFiles, maxFileBytes }: MultipartLimits) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      // One byte more than allowed: so a file that is too large differs from one that just fits.
      limits: {
        files: maxFiles,
        fileSize: maxFileBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        // A part that is neither has four bytes, and takes the parser far longer than its share.
        parts: maxFiles + MAX_FIELDS,
      },
    });
  } catch {
    throw refusal(400, "the content type names no boundary");
  }
}

async function collect(stream: BusboyFileStream, { maxFileBytes }: MultipartLimits, fileName: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxFileBytes) throw tooLarge(`the file ${fileName.slice(0, 60)}`, maxFileBytes);
      pieces.push(piece);
    }
  } catch (error) {
    throw toRefusal(error);
  }
  return Buffer.concat(pieces, length);
}

async function* limited(body: ReadableStream<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maxBytes) throw tooLarge("the body", maxBytes);
    yield piece;
  }
}

/** Turns an error of the stream into an answer: one that was thrown, or a fault that the parser found. */
function toRefusal(error: unknown): unknown {
  if (error instanceof Response) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return refusal(400, `the body is not well-formed multipart/form-data: ${problem}`);
}

function tooLarge(what: string, maxBytes: number): Response {
  return refusal(413, `${what} is over ${maxBytes} bytes`);
}
