import type { FieldRow, SearchField } from "./search-field.ts";

/** Makes fields of one row. `fields`: as in `SearchField`, or the only one. */
export function fieldMaker(row: FieldRow) {
  return (
    key: string,
    type: SearchField["type"],
    fields: string | readonly string[],
    description: string,
    extra: Partial<SearchField> = {},
  ): SearchField => ({ key, type, fields: typeof fields === "string" ? [fields] : fields, description, row, ...extra });
}
