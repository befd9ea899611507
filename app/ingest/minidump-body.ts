import { decode, decodeMulti } from "@msgpack/msgpack";
import { MIB } from "../domain/bytes.ts";
import { isRecord } from "../domain/is-record.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { isModestMessagePack } from "../protocol/is-modest-message-pack.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";
import { findSignal } from "../signals/registry.ts";
import type { IngestAnswer } from "./answers.ts";
import type { DecodeBody } from "./decode-body.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import { type Form, type FormFile, readMinidumpForm } from "./minidump-form.ts";
import { overloaded } from "./read-body.ts";
import { type WrappedHeader, wrapItems } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

// Crash reporters upload the memory of a program that crashed as a form, together with the event that its SDK had saved.

export interface MinidumpEnvelope {
  eventId: string;
  envelope: Uint8Array;
}

/** The field of the dump, in forms of Breakpad and Crashpad. */
const DUMP_FIELD = "upload_file_minidump";
/** Files in which the SDK for C and C++ keeps its event and its breadcrumbs, as MessagePack. */
const EVENT_FILE = "__sentry-event";
const BREADCRUMB_FILES: readonly string[] = ["__sentry-breadcrumb1", "__sentry-breadcrumb2"];
const RAW_TYPES: ReadonlySet<string> = new Set(["", "application/octet-stream", "application/x-dmp"]);
const MAX_DUMP_BYTES = findSignal({ type: "attachment" }).limits.maxItemBytes;
/** The SDK keeps a hundred, unless it is told otherwise. */
const MAX_BREADCRUMBS = 1_000;
/** The limit of an event, which the SDK's file and fields become. */
const MAX_LENGTH = MIB;
/** `sentry[tags][plan]`: this deep. */
const MAX_BRACKETS = 5;
/** Characters of a file's name and of its type. */
const MAX_NAME_LENGTH = 1_000;
/** Bytes of a body. In memory beside it are its files and the envelope, and all three fit into `maxInFlightBytes`. */
export const MAX_MINIDUMP_BODY_BYTES = 75 * MIB;

/**
 * Takes a minidump as the whole body, or as a file of a form beside an event, breadcrumbs, annotations and other files. Makes an envelope of
 * an event and its attachments. What is not understood of the event stays as an attachment.
 */
export async function readMinidumpBody(
  body: Uint8Array,
  {
    contentType,
    randomId,
    decodeBody,
    lease,
  }: { contentType: string; randomId: () => string; decodeBody: DecodeBody; lease: BytesLease },
): Promise<MinidumpEnvelope | Refusal> {
  // The files, and the envelope that has them.
  if (!lease.take(2 * body.length)) return overloaded();
  const form = await readForm(body, contentType);
  if (form instanceof Refusal) return form;
  const file = form.files.find(({ name }) => name === DUMP_FIELD);
  if (file === undefined) return new Refusal("malformed_minidump", `the form has no file ${DUMP_FIELD}`);
  const dump = await decodeBody(file.content, undefined, MAX_DUMP_BYTES, lease);
  if (dump instanceof Refusal) return dump;
  if (!/^(?:MDMP|PMDM)$/.test(Buffer.from(dump.subarray(0, 4)).toString("latin1"))) {
    const detail = "the file is no minidump: those begin with MDMP. It may be packed with gzip or zstd";
    return new Refusal("malformed_minidump", detail);
  }
  const { event, attachments } = readEvent(form);
  const eventId = normalizeEventId(event.event_id) ?? randomId();
  const json = toJson({ ...event, event_id: eventId });
  if (json === null) return new Refusal("malformed_minidump", "the event is nested too deeply");
  const items = [
    { header: { type: "event" }, payload: Buffer.from(json) },
    toAttachment({ ...file, fileName: toDumpName(file.fileName), content: dump }, "event.minidump"),
    ...attachments.map((each) =>
      toAttachment(each, each.name === "view-hierarchy.json" ? "event.view_hierarchy" : null),
    ),
  ];
  return { eventId, envelope: wrapItems(eventId, items) };
}

/** Crash reporters keep the text of the answer as the id of their report. */
export function toMinidumpAnswer(answer: IngestAnswer): IngestAnswer {
  const { id } = (answer.status === 200 ? JSON.parse(answer.body ?? "{}") : {}) as { id?: string };
  if (id === undefined) return answer;
  const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { ...answer, body: null, content: { contentType: "text/plain; charset=utf-8", bytes: Buffer.from(dashed) } };
}

async function readForm(body: Uint8Array, contentType: string): Promise<Form | Refusal> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return await readMinidumpForm(body, contentType);
  if (!RAW_TYPES.has(type)) {
    const detail = "a minidump is taken as multipart/form-data, application/octet-stream or application/x-dmp";
    return new Refusal("unsupported_media_type", detail);
  }
  const file = { name: DUMP_FIELD, fileName: "minidump.dmp", contentType: "application/octet-stream", content: body };
  return { files: [file], fields: [] };
}

/** The event that the SDK saved, or a new one, completed by the fields of the form. */
function readEvent({ files, fields }: Form): { event: Record<string, unknown>; attachments: FormFile[] } {
  const attachments: FormFile[] = [];
  const event: Record<string, unknown> = {};
  const breadcrumbs: unknown[] = [];
  const ownFiles = new Set([EVENT_FILE, ...BREADCRUMB_FILES]);
  for (const file of files) {
    if (file.name === DUMP_FIELD) continue;
    // Each is read once: a form may repeat them.
    if (!ownFiles.delete(file.name)) {
      attachments.push(file);
      continue;
    }
    const isBreadcrumbs = file.name !== EVENT_FILE;
    // Breadcrumbs come in two files, one of which may be empty.
    const values = file.content.length === 0 && isBreadcrumbs ? [] : unpack(file.content, isBreadcrumbs);
    if (values === null) attachments.push(file);
    else if (isBreadcrumbs) breadcrumbs.push(...values);
    else Object.assign(event, values[0]);
  }
  const { said, extra } = readFields(fields);
  Object.assign(event, said);
  if (breadcrumbs.length > 0 && event.breadcrumbs === undefined) event.breadcrumbs = breadcrumbs.sort(byTime);
  if (Object.keys(extra).length > 0) event.extra = { ...extra, ...(isRecord(event.extra) ? event.extra : {}) };
  return { event: { platform: "native", level: "fatal", ...event }, attachments };
}

/** The objects in a file. Null: there is something else in it, or too much. */
function unpack(content: Uint8Array, isMany: boolean): Array<Record<string, unknown>> | null {
  if (content.length > MAX_LENGTH || !isModestMessagePack(content)) return null;
  try {
    const values: Array<Record<string, unknown>> = [];
    for (const value of isMany ? decodeMulti(content) : [decode(content)]) {
      if (!isRecord(value) || values.length === MAX_BREADCRUMBS) return null;
      values.push(value);
    }
    return values;
  } catch {
    return null;
  }
}

/** The event's fields, in `sentry`, in its parts `sentry__1`, or in `sentry[tags][plan]`. Other fields are annotations. */
function readFields(fields: Form["fields"]): { said: Record<string, unknown>; extra: Record<string, unknown> } {
  const said: Record<string, unknown> = {};
  const extra: Record<string, unknown> = {};
  const parts = fields.flatMap(([name, value]) => {
    const [, number] = /^sentry__(\d{1,3})$/.exec(name) ?? [];
    return number === undefined ? [] : { number: Number(number), value };
  });
  const whole = parts.sort((one, other) => one.number - other.number).map(({ value }) => value);
  for (const json of [fields.find(([name]) => name === "sentry")?.[1], whole.join("")]) {
    const value = json ? glanceAtJson(Buffer.from(json)) : undefined;
    if (isRecord(value)) Object.assign(said, value);
    else if (json) define(extra, "sentry", json);
  }
  for (const [name, value] of fields) {
    if (/^sentry(?:__\d{1,3})?$/.test(name)) continue;
    const path = /^sentry(?:\[[^[\]]+\])+$/.test(name) ? name.slice("sentry[".length, -1).split("][") : null;
    if (path === null || path.length > MAX_BRACKETS) define(extra, name, value);
    else setPath(said, path, value);
  }
  return { said, extra };
}

function setPath(target: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    define(target, key, value);
    return;
  }
  const known = Object.hasOwn(target, key) ? target[key] : undefined;
  const inner = isRecord(known) ? known : {};
  define(target, key, inner);
  setPath(inner, rest, value);
}

/** An assignment of `__proto__` would set something else. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Null: it is nested more deeply than the stack allows. */
function toJson(event: Record<string, unknown>): string | null {
  try {
    return JSON.stringify(event);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function byTime(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((each) => String((each as { timestamp?: unknown }).timestamp ?? ""));
  return a === b ? 0 : (a ?? "") < (b ?? "") ? -1 : 1;
}

function toDumpName(fileName: string): string {
  return fileName.replace(/\.(?:gz|zst)$/i, "") || "minidump.dmp";
}

function toAttachment(
  { name, fileName, contentType, content }: FormFile,
  attachmentType: string | null,
): { header: WrappedHeader; payload: Uint8Array } {
  const type = attachmentType === null ? {} : { attachment_type: attachmentType };
  const [filename, content_type] = [fileName || name, contentType].map((text) => text.slice(0, MAX_NAME_LENGTH));
  return { header: { type: "attachment", filename, content_type, ...type }, payload: content };
}
