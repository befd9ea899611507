import { type ConditionDialect, toLikePattern } from "../../sql/condition-sql.ts";

/** Columns of `audit_entries` by what searches call them. */
const FIELDS: Readonly<Record<string, string>> = {
  id: "id",
  at: "at",
  actor: "actor_name",
  actorKind: "actor_kind",
  action: "action",
  target: "target_name",
  targetKind: "target_kind",
  address: "address",
  text: "(actor_name || ' ' || action || ' ' || target_kind || ' ' || target_name || ' ' || coalesce(address, '') || ' ' || changes)",
};

/** How searches look at rows of `audit_entries`. Values are added to the parameters. */
export function createAuditDialect(params: Record<string, string | number>): ConditionDialect {
  let count = 0;
  const bind = (value: string | number) => {
    const name = `where${count++}`;
    params[name] = value;
    return `:${name}`;
  };
  return {
    bind,
    bindList: (values) => `(SELECT value FROM json_each(${bind(JSON.stringify(values))}))`,
    fold: (sql) => `fold_text(${sql})`,
    like: (sql, parts) => `${sql} LIKE ${bind(toLikePattern(parts))} ESCAPE '\\'`,
    field(name) {
      const column = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
      if (column === undefined) throw new RangeError(`the audit log has no field ${name}`);
      return column;
    },
    fieldTest: () => null,
    tag(key) {
      throw new RangeError(`the audit log has no tag ${key}`);
    },
  };
}
