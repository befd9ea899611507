/** An object from `JSON.parse`. The sender chose its keys. */
export type JsonObject = Record<string, unknown>;

/**
 * True for what stands for "no object": nothing, null, or an empty list, which is how PHP writes an empty map.
 */
export function isNoObject(value: unknown): value is null | undefined | [] {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
