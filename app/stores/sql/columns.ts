/**
 * Columns of a table as the fields of its rows: `p.created_at` is read as `createdAt`. The names are quoted, because
 * PostgreSQL folds others to lower case.
 */
export function asFields(columns: string): string {
  return columns
    .split(",")
    .map((column) => {
      const name = column.trim().replace(/^\w+\./, "");
      return `${column.trim()} AS "${name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`;
    })
    .join(", ");
}

/** A row as the engine gives it: the fields of `Raw` as they are stored (JSON, 0 and 1), the others as they are. */
export type RowOf<Noun, Raw> = Omit<Noun, keyof Raw> & Raw;

/** Groups rows by the key that `split` gives, in their order. */
export function groupRows<Row, Key, Item>(rows: readonly Row[], split: (row: Row) => [Key, Item]): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const row of rows) {
    const [key, item] = split(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
