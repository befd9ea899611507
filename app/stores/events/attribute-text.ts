/** The value of an attribute as text; of one that says more than its value, the value. Null: it has none. */
export function toAttributeText(attribute: unknown): string | null {
  if (attribute === null || attribute === undefined) return null;
  if (typeof attribute === "string") return attribute;
  if (typeof attribute === "object" && "value" in attribute) {
    const text = toAttributeText(attribute.value);
    if (text !== null) return text;
  }
  return JSON.stringify(attribute);
}
