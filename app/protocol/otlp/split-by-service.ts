import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isRecord } from "../../domain/is-record.ts";
import { OTLP_NAMES, type OtlpSignal, RESOURCE } from "./messages.ts";
import { createOriginDecoder } from "./raw-resources.ts";
import {
  countGlanced,
  isJsonMediaType,
  type OtlpGlance,
  type OtlpRefusal,
  readGlance,
  refusingProtobuf,
} from "./read-request.ts";

type Json = Record<string, unknown>;

/** A request with some of the resources of another one. */
export interface OtlpPart<Target> {
  target: Target;
  bytes: Uint8Array;
  glance: OtlpGlance;
}

/**
 * Splits a request by target. `targetOf` gives the target for the service of each resource; the service is null if it has no name. If all
 * resources have the same target, the request stays as it came.
 */
export function splitByService<Target>(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
  targetOf: (service: string | null) => Target,
): { ok: true; parts: OtlpPart<Target>[] } | OtlpRefusal {
  const read = readGlance(bytes, signal, contentType);
  if (!read.ok) return read;
  return refusingProtobuf(() => {
    const [list] = OTLP_NAMES[signal];
    const decode = createOriginDecoder();
    const sent = read.request[list];
    const resources = (Array.isArray(sent) ? sent : []).map((each: Json) => ({
      ...each,
      resource: decode(each.resource, RESOURCE),
    }));
    const groups = Map.groupBy(resources.keys(), (index) => targetOf(readService(resources[index]?.resource)));
    if (groups.size === 0) groups.set(targetOf(null), []);
    const take = createPartTaker(bytes, { isWhole: groups.size === 1, isJson: isJsonMediaType(contentType) });
    const parts = [...groups].map(([target, indexes]) => {
      const request = { ...read.request, [list]: indexes.map((index) => resources[index]) };
      return { target, bytes: take(request, indexes), glance: countGlanced(request, signal) };
    });
    return { ok: true, parts };
  });
}

/** Makes the function that returns a request's body with only some of its resources. */
function createPartTaker(bytes: Uint8Array, { isWhole, isJson }: { isWhole: boolean; isJson: boolean }) {
  if (isWhole) return () => bytes;
  if (isJson) return (request: Json) => Buffer.from(JSON.stringify(request));
  const ranges = findResources(bytes);
  return (_: Json, indexes: readonly number[]) =>
    Buffer.concat(indexes.map((index) => bytes.subarray(...(ranges[index] as [number, number]))));
}

/**
 * The ranges of the resources in a protobuf request: the fields with number 1, with their tags. The glance before has checked their
 * lengths.
 */
function findResources(bytes: Uint8Array): Array<[start: number, end: number]> {
  const reader = new BinaryReader(bytes);
  const found: Array<[number, number]> = [];
  while (reader.pos < bytes.length) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    reader.skip(wireType, number);
    if (number === 1 && wireType === WireType.LengthDelimited) found.push([start, reader.pos]);
  }
  return found;
}

/** The service name as the digest reads it: the last one counts. */
function readService(resource: unknown): string | null {
  const attributes = isRecord(resource) && Array.isArray(resource.attributes) ? resource.attributes : [];
  const named = attributes.findLast((each) => isRecord(each) && each.key === "service.name");
  const value = isRecord(named) && isRecord(named.value) ? named.value.stringValue : null;
  return typeof value === "string" ? value : null;
}
