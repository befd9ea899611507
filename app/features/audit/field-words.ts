/** The words for a field on the page of the audit log: `requiresProvider` is "requires provider". Exports use the name in the code. */
export function toFieldWords(field: string): string {
  return field
    .replace(/^is(?=[A-Z])/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
