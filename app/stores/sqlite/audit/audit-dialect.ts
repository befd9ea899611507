import type { ConditionDialect } from "../../sql/condition-sql.ts";
import { createTableDialect } from "../table-dialect.ts";

/** Columns of `audit_entries` by the names of fields in searches. */
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

/** The SQL of searches on `audit_entries`. Adds the values to the parameters. */
export function createAuditDialect(params: Record<string, string | number>): ConditionDialect {
  return createTableDialect("audit_entries", FIELDS, params);
}
