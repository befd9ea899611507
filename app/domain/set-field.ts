/**
 * Gives an object a field of its own. Among the keys that senders choose, `__proto__` is one like any other, and an assignment would change the
 * prototype instead.
 */
export function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
