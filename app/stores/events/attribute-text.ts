/** The values of a list in the text of an attribute, as texts. SDKs send a list as a list, or as its JSON. Empty: the text is not a list. */
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

/** The texts that a search in all attributes compares: the value as text, and for a list also each of its values. */
export function listAttributeTexts(attribute: unknown): string[] {
  const text = toAttributeText(attribute);
  return text === null ? [] : [text, ...readListValues(text)];
}
