/** The values of a list in the text of an attribute, as texts: SDKs send lists as such, or as their JSON. Empty: it is no list. */
export function readListValues(text: string | null): string[] {
  if (text === null || !text.startsWith("[")) return [];
  try {
    return (JSON.parse(text) as unknown[]).flatMap((value) =>
      value === null ? [] : typeof value === "string" ? value : JSON.stringify(value),
    );
  } catch {
    return [];
  }
}

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

/** What a search of any attribute compares with: the value as text, and where it is a list, each of its values. */
export function listAttributeTexts(attribute: unknown): string[] {
  const text = toAttributeText(attribute);
  return text === null ? [] : [text, ...readListValues(text)];
}
