/**
 * The attribute in `tags[key]` and `tags[key,number]`, as Sentry names one that may be called like a field.
 * Null: the field is another one.
 */
export function readNamedTag(field: string): { key: string; isNumber: boolean } | null {
  const [, key, type] = /^tags\[(.+?)(?:,\s*(number|string|boolean))?\]$/s.exec(field) ?? [];
  return key === undefined ? null : { key, isNumber: type === "number" };
}
