import { type Budget, decodeMessage } from "./decode-message.ts";
import { RESOURCE } from "./messages.ts";
import { type ReadResource, readWhole } from "./walk-request.ts";

/** Attributes of resources, with their values, that are decoded of a request before its digest; ours. A resource has some ten. */
export const MAX_RESOURCE_VALUES = 100_000;

/** A control character in an object takes most: of one byte, JSON within JSON makes the seven characters `\\u0001`. */
const MAX_CHARACTERS_OF_BYTE = 7;

/** What a resource has at most, without decoding it. */
export function boundResource(resource: unknown): ReadResource {
  if (!(resource instanceof Uint8Array)) return readWhole(resource);
  return { attributes: {}, characters: "{}".length + MAX_CHARACTERS_OF_BYTE * resource.length };
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
