import { type ConditionDialect, toLikePattern } from "../sql/condition-sql.ts";

/** A dialect that can also bind lists of numbers. */
export interface TableDialect extends ConditionDialect {
  bindList(values: ReadonlyArray<string | number>): string;
}

/**
 * SQL of searches in rows of a table without tags, or of a join. Adds the values to the parameters, as `where0`, `where1` and so on.
 *
 * @param fields columns, or expressions, by the names of fields in searches
 * @throws RangeError in `field` and `tag` for a field that the table does not have: searches are checked before
 */
export function createTableDialect(
  table: string,
  fields: Readonly<Record<string, string>>,
  params: Record<string, string | number>,
): TableDialect {
  let count = 0;
  const bind = (value: string | number) => {
    const name = `where${count++}`;
    params[name] = value;
    return `:${name}`;
  };
  return {
    bind,
    bindList: (values: ReadonlyArray<string | number>) =>
      `(SELECT value FROM json_each(${bind(JSON.stringify(values))}))`,
    fold: (sql) => `fold_text(${sql})`,
    like: (sql, parts) => `${sql} LIKE ${bind(toLikePattern(parts))} ESCAPE '\\'`,
    field(name) {
      const column = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (column === undefined) throw new RangeError(`${table} has no field ${name}`);
      return column;
    },
    fieldTest: () => null,
    tag(key) {
      throw new RangeError(`${table} has no tag ${key}`);
    },
  };
}
