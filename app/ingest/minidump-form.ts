import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import Busboy, { type BusboyFileStream } from "@fastify/busboy";
import { KIB, MIB } from "../domain/bytes.ts";
import { Refusal } from "./refusal.ts";

export interface FormFile {
  /** The name of the form's field. */
  name: string;
  /** The name that the sender gave. It is never used as a path. */
  fileName: string;
  contentType: string;
  content: Uint8Array;
}

export interface Form {
  files: FormFile[];
  /** The other fields, in the order in which they came. */
  fields: Array<[name: string, value: string]>;
}

/** Crash reporters send a few files, and some fifty short annotations. */
const MAX_FILES = 40;
const MAX_FIELDS = 500;
/** All fields become part of the event, whose limit this is. */
const MAX_FIELD_BYTES = MIB;
/** Bytes that are read before other requests get their turn. A part may have four bytes, and the parser makes a stream for each. */
const SLICE_BYTES = 64 * KIB;

/** Reads a body of the type `multipart/form-data` that is in memory. Refuses a broken one, and one over a limit. */
export async function readMinidumpForm(body: Uint8Array, contentType: string): Promise<Form | Refusal> {
  const parser = openParser(contentType);
  if (parser === null) return malformed("the content type names no boundary");
  const files: Array<Promise<FormFile>> = [];
  const fields: Form["fields"] = [];
  let fieldBytes = 0;
  let refused: Refusal | null = null;
  const refuse = (detail: string) => {
    refused ??= malformed(detail);
    // Nothing more is read.
    parser.destroy(new Error(detail));
  };
  parser.on("file", (name, stream, fileName, _encoding, type) => {
    // The parser itself reports what it breaks off.
    stream.on("error", () => {});
    const file = collect(stream).then((content) => ({ name, fileName: fileName ?? name, contentType: type, content }));
    // A form that is refused waits for none of its files.
    file.catch(() => {});
    files.push(file);
  });
  parser.on("field", (name, value, isNameCut, isValueCut) => {
    fieldBytes += name.length + value.length;
    if (isNameCut || isValueCut || fieldBytes > MAX_FIELD_BYTES)
      refuse(`its fields have over ${MAX_FIELD_BYTES} bytes`);
    else fields.push([name, value]);
  });
  parser.on("filesLimit", () => refuse(`the form has over ${MAX_FILES} files`));
  parser.on("fieldsLimit", () => refuse(`the form has over ${MAX_FIELDS} fields`));
  parser.on("partsLimit", () => refuse(`the form has over ${MAX_FILES + MAX_FIELDS} parts`));
  try {
    await pipeline(Readable.from(sliced(body)), parser);
    return refused ?? { files: await Promise.all(files), fields };
  } catch (error) {
    return refused ?? malformed(error instanceof Error ? error.message : String(error));
  }
}

function openParser(contentType: string) {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FILES + MAX_FIELDS },
    });
  } catch {
    return null;
  }
}

async function* sliced(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    yield body.subarray(at, at + SLICE_BYTES);
  }
}

async function collect(stream: BusboyFileStream): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

function malformed(problem: string): Refusal {
  return new Refusal("malformed_minidump", `the body is not well-formed multipart/form-data: ${problem}`);
}
