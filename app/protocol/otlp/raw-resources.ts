import { type Budget, decodeMessage } from "./decode-message.ts";
import { RESOURCE } from "./messages.ts";
import { measureResource } from "./walk-request.ts";

/** Attributes of resources, with their values, that are decoded of a request before its digest; ours. A resource has some ten. */
export const MAX_RESOURCE_VALUES = 100_000;

/** At most seven for a byte of text, and less for what else takes bytes. */
const MAX_CHARACTERS_OF_BYTE = 8;

/** What a resource has at most, without decoding it. */
export function boundResource(resource: unknown): number {
  return resource instanceof Uint8Array ? MAX_CHARACTERS_OF_BYTE * (resource.length + 2) : measureResource(resource);
}

/**
 * Decodes the resources of one request, which a glance has left as bytes.
 *
 * @throws {MalformedProtobufError} also beyond the limit above
 */
export function createResourceDecoder(): (resource: unknown) => unknown {
  const budget: Budget = { left: MAX_RESOURCE_VALUES, of: MAX_RESOURCE_VALUES, what: "values of resources" };
  return (resource) => (resource instanceof Uint8Array ? decodeMessage(resource, RESOURCE, budget) : resource);
}
