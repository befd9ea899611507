/** An object that came out of `JSON.parse`; its keys are the sender's. */
export type JsonObject = Record<string, unknown>;

/**
 * True for what stands for "no object": nothing, null, or an empty list, which is how PHP writes an empty map.
 */
export function isNoObject(value: unknown): value is null | undefined | [] {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
