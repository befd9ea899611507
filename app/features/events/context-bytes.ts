/** Keys of contexts whose values SDKs send in bytes. A GPU's `memory_size` is in megabytes. */
const BYTES: Record<string, ReadonlySet<string>> = {
  app: new Set(["app_memory", "free_memory"]),
  device: new Set([
    "memory_size",
    "free_memory",
    "usable_memory",
    "storage_size",
    "free_storage",
    "external_storage_size",
    "external_free_storage",
  ]),
  response: new Set(["body_size"]),
};

export function isBytes(context: string, key: string, value: unknown): value is number {
  const isNamed = (Object.hasOwn(BYTES, context) && BYTES[context]?.has(key)) || key.endsWith("_bytes");
  return isNamed && typeof value === "number" && value >= 1_000;
}
