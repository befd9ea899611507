import type { FieldValue } from "../../domain/search/condition.ts";
import type { SearchedRow } from "../../domain/search/matches-condition.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { listAttributeTexts, readListValues, toAttributeText } from "../events/attribute-text.ts";
import type { SpanRow } from "../events/spans.ts";

const TYPED_INDEX = new Map(TYPED_ATTRIBUTES.map(({ column }, index) => [column, index]));
const TYPED_KEY_INDEX = new Map(TYPED_ATTRIBUTES.map(({ key }, index) => [key, index]));

/** A span as a search in memory sees it. Contracts compare what the engine finds with it. */
export function toSearchedSpan(row: SpanRow): SearchedRow {
  let read: Record<string, unknown> | null = null;
  const attributes = () => {
    read ??= row.attributes === null ? {} : (JSON.parse(row.attributes) as Record<string, unknown>);
    return read;
  };
  const tag = (key: string) => {
    const text = Object.hasOwn(attributes(), key) ? toAttributeText(attributes()[key]) : null;
    return text ?? toAttributeText(row.typed[TYPED_KEY_INDEX.get(key) ?? -1]);
  };
  return {
    field: (name) => readField(row, name),
    tag,
    listValues: (key) => readListValues(tag(key)),
    tagValues: () => [
      ...Object.values(attributes()).flatMap(listAttributeTexts),
      ...row.typed.flatMap((value) => toAttributeText(value) ?? []),
    ],
  };
}

function readField(row: SpanRow, name: string): FieldValue {
  switch (name) {
    case "projectId":
    case "op":
    case "name":
    case "nameGroup":
    case "status":
    case "kind":
    case "origin":
    case "segment":
    case "release":
    case "environment":
    case "service":
    case "traceId":
    case "spanId":
      return row[name];
    case "sdk":
      return row.sdkName;
    case "parentId":
      return row.parentSpanId;
    case "durationMs":
      return row.durationUs / 1000;
    case "startedAt":
      return row.startedUs / 1000;
    case "isSegment":
      return Number(row.isSegment);
    case "text":
      return [row.name, row.op, row.segment, row.service, readTyped(row, "url")]
        .filter((text) => text !== null)
        .join("\n");
    default:
      return readTyped(row, name);
  }
}

function readTyped({ typed }: SpanRow, column: string): FieldValue {
  const index = TYPED_INDEX.get(column);
  if (index === undefined) throw new RangeError(`spans have no field ${column}`);
  const value = typed[index] ?? null;
  return typeof value === "boolean" ? Number(value) : value;
}
