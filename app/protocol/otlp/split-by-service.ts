import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isRecord } from "../../domain/is-record.ts";
import { decodeMessage, MalformedProtobufError } from "./decode-message.ts";
import { OTLP_NAMES, OTLP_ORIGIN, type OtlpSignal } from "./messages.ts";
import { countGlanced, isJsonMediaType, type OtlpGlance, type OtlpRefusal, readGlance } from "./read-request.ts";

type Json = Record<string, unknown>;

/** A request with some of the resources of another one. */
export interface OtlpPart<Target> {
  target: Target;
  bytes: Uint8Array;
  glance: OtlpGlance;
}

/** Attributes of resources, with their values, that are looked at for the name of a service; ours. A resource has some ten. */
export const MAX_RESOURCE_VALUES = 100_000;

/**
 * Parts a request by what `targetOf` says of the service of each resource, null where it has no name. A request whose resources
 * have one target stays as it came.
 */
export function splitByService<Target>(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
  targetOf: (service: string | null) => Target,
): { ok: true; parts: OtlpPart<Target>[] } | OtlpRefusal {
  const read = readGlance(bytes, signal, contentType);
  if (!read.ok) return read;
  const [list] = OTLP_NAMES[signal];
  const resources = Array.isArray(read.request[list]) ? (read.request[list] as unknown[]) : [];
  let ranges: ResourceRange[] | null = null;
  if (!isJsonMediaType(contentType)) {
    try {
      ranges = findResources(bytes);
    } catch (error) {
      if (!(error instanceof MalformedProtobufError)) throw error;
      return { ok: false, reason: "invalid_protobuf", detail: error.message };
    }
  }
  const groups = new Map<Target, number[]>();
  for (const index of resources.keys()) {
    const target = targetOf(ranges === null ? readService(resources[index]) : (ranges[index]?.service ?? null));
    const group = groups.get(target);
    if (group === undefined) groups.set(target, [index]);
    else group.push(index);
  }
  if (groups.size === 0) groups.set(targetOf(null), []);
  const parts = [...groups].map(([target, indexes]) => {
    const request = { ...read.request, [list]: indexes.map((index) => resources[index]) };
    const own = groups.size === 1 ? bytes : ranges === null ? toBytes(request) : takeRanges(bytes, ranges, indexes);
    return { target, bytes: own, glance: countGlanced(request, signal) };
  });
  return { ok: true, parts };
}

function toBytes(request: Json): Uint8Array {
  return Buffer.from(JSON.stringify(request));
}

interface ResourceRange {
  /** Of the whole field, with its tag. */
  start: number;
  end: number;
  service: string | null;
}

function takeRanges(bytes: Uint8Array, ranges: readonly ResourceRange[], indexes: readonly number[]): Uint8Array {
  return Buffer.concat(indexes.map((index) => bytes.subarray(ranges[index]?.start, ranges[index]?.end)));
}

/**
 * Where the resources of a request are, in their order: the field with the number 1 in all three requests. The glance before has seen that
 * they end where they should.
 *
 * @throws {MalformedProtobufError}
 */
function findResources(bytes: Uint8Array): ResourceRange[] {
  const reader = new BinaryReader(bytes);
  const found: ResourceRange[] = [];
  let left = MAX_RESOURCE_VALUES;
  while (reader.pos < bytes.length) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    if (number !== 1 || wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    const origin = decodeMessage(reader.bytes(), OTLP_ORIGIN, left);
    const attributes = attributesOf(origin);
    left = Math.max(0, left - 2 * attributes.length);
    found.push({ start, end: reader.pos, service: readService(origin) });
  }
  return found;
}

function attributesOf(resource: unknown): readonly unknown[] {
  const attributes = isRecord(resource) && isRecord(resource.resource) ? resource.resource.attributes : null;
  return Array.isArray(attributes) ? attributes : [];
}

/** As the digest reads it: the last one counts. */
function readService(resource: unknown): string | null {
  const named = attributesOf(resource).findLast((each) => isRecord(each) && each.key === "service.name");
  const value = isRecord(named) && isRecord(named.value) ? named.value.stringValue : null;
  return typeof value === "string" ? value : null;
}
