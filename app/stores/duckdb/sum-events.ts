import type { EventFilter, EventGroupSum, EventSumOptions } from "../events/error-events.ts";
import { toEventConditions } from "./event-conditions.ts";
import { toEventKeySql } from "./event-dialect.ts";
import { toText } from "./event-rows.ts";
import type { EventReading } from "./read-events.ts";

const MAX_GROUPS = 100;

const ORDERS: Readonly<Record<EventSumOptions["largest"], string>> = {
  events: "count(*)",
  users: "count(DISTINCT user_hash)",
  issues: "count(DISTINCT issue_id)",
  newest: "max(occurred_at)",
};

export async function sumEvents(
  reading: EventReading,
  filter: EventFilter,
  { by, bucketMs, limit, largest, onlyLargest = false }: EventSumOptions,
): Promise<EventGroupSum[]> {
  if (filter.projectIds.length === 0) return [];
  if (onlyLargest && bucketMs === null && largest !== "newest")
    return await countOne(reading, filter, { by, limit, figure: largest });
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const names = by.map((_, index) => `g${index}`);
  const keys = by.map((key, index) => `${toEventKeySql(key, conditions)} AS g${index}, `).join("");
  const from = filter.from ?? 0;
  const bucket =
    bucketMs === null
      ? "NULL::BIGINT"
      : `(occurred_at - ${conditions.bind(from)}) // ${conditions.bind(Math.max(1, Math.trunc(bucketMs)))}`;
  const same = ["true", ...names.map((name) => `found.${name} IS NOT DISTINCT FROM largest.${name}`)].join(" AND ");
  const groups = names.map((name) => `found.${name}, `).join("");
  const rows = await reading.database.read(
    `WITH found AS MATERIALIZED (
       SELECT ${keys}${bucket} AS bucket, user_hash, issue_id, occurred_at FROM events WHERE ${conditions}
     ), largest AS (
       SELECT ${names.map((name) => `${name}, `).join("")}${ORDERS[largest]} AS size FROM found
       GROUP BY ${names.length === 0 ? "()" : names.join(", ")} HAVING count(*) > 0 ORDER BY ${["size DESC", ...names].join(", ")}
       LIMIT ${toLimit(limit)}
     )
     SELECT ${groups}found.bucket::DOUBLE AS bucket, count(*)::DOUBLE AS events, count(DISTINCT user_hash)::DOUBLE AS users,
       count(DISTINCT issue_id)::DOUBLE AS issues, min(occurred_at)::DOUBLE AS first_at, max(occurred_at)::DOUBLE AS last_at
     FROM found JOIN largest ON ${same} GROUP BY ${groups}largest.size, found.bucket
     ORDER BY ${["largest.size DESC", ...names.map((name) => `found.${name}`), "found.bucket"].join(", ")}`,
    conditions.values,
  );
  return rows.map((row) => ({
    group: names.map((name) => toText(row[name] ?? null) ?? null),
    at: bucketMs === null || row.bucket === null ? null : from + Number(row.bucket) * bucketMs,
    events: Number(row.events),
    users: Number(row.users),
    issues: Number(row.issues),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
  }));
}

/** Computes one figure of each group without holding the matching events in memory. The other figures are NaN. */
async function countOne(
  reading: EventReading,
  filter: EventFilter,
  { by, limit, figure }: Pick<EventSumOptions, "by" | "limit"> & { figure: "events" | "users" | "issues" },
): Promise<EventGroupSum[]> {
  const conditions = toEventConditions(filter).addRange("ordinal", null, reading.nextOrdinal());
  const names = by.map((_, index) => `g${index}`);
  const keys = by.map((key, index) => `${toEventKeySql(key, conditions)} AS g${index}, `).join("");
  const rows = await reading.database.read(
    `SELECT ${keys}(${ORDERS[figure]})::DOUBLE AS size FROM events WHERE ${conditions}
     GROUP BY ${names.length === 0 ? "()" : names.join(", ")} HAVING count(*) > 0 ORDER BY ${["size DESC", ...names].join(", ")} LIMIT ${toLimit(limit)}`,
    conditions.values,
  );
  const unknown = {
    events: Number.NaN,
    users: Number.NaN,
    issues: Number.NaN,
    firstAt: Number.NaN,
    lastAt: Number.NaN,
  };
  return rows.map((row) => ({
    group: names.map((name) => toText(row[name] ?? null) ?? null),
    at: null,
    ...unknown,
    [figure]: Number(row.size),
  }));
}

function toLimit(limit: number): number {
  return Math.min(MAX_GROUPS, Math.max(1, Math.trunc(limit)));
}
