import { type Budget, decodeMessage } from "./decode-message.ts";
import type { MessageType } from "./messages.ts";
import { measureOrigin } from "./walk-request.ts";

/** Attributes of resources and scopes, with their values, that are decoded of a request before its digest; ours. A resource has some ten. */
export const MAX_RESOURCE_VALUES = 100_000;

/** A byte of text has at most seven characters. Other bytes have fewer. */
const MAX_CHARACTERS_OF_BYTE = 8;

/** The most characters that a resource or a scope can have, without decoding it. */
export function boundOrigin(part: unknown): number {
  return part instanceof Uint8Array ? MAX_CHARACTERS_OF_BYTE * (part.length + 6) : measureOrigin(part);
}

/**
 * Decodes the resources and scopes of one request, which a glance has left as bytes.
 *
 * @throws {MalformedProtobufError} also beyond the limit above
 */
export function createOriginDecoder(): (part: unknown, type: MessageType) => unknown {
  const budget: Budget = { left: MAX_RESOURCE_VALUES, of: MAX_RESOURCE_VALUES, what: "values of resources and scopes" };
  return (part, type) => (part instanceof Uint8Array ? decodeMessage(part, type, budget) : part);
}
