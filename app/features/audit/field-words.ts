/** How the page of the audit log calls a field, which exports name as the code does: `requiresProvider` is "requires provider". */
export function toFieldWords(field: string): string {
  return field
    .replace(/^is(?=[A-Z])/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
