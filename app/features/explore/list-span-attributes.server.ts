import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { type FieldType, findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";

const MAX_KEYS = 500;

export type AttributeType = "string" | "number" | "boolean";

/** What spans can be searched by: fields that every span may have, and attributes that spans of the range have. */
export async function listSpanAttributes(
  { scope, events }: Workspace,
  {
    projectIds,
    type,
    part,
    from,
    to,
  }: { projectIds: readonly number[]; type: AttributeType; part: string; from: number; to: number },
): Promise<Array<{ key: string; isKnown: boolean }>> {
  const known = SPAN_VOCABULARY.fields
    .filter((field) => toAttributeType(field.type) === type)
    .map(({ key }) => ({ key, isKnown: true }));
  const whose = { projectIds: narrowScope(scope, projectIds).projectIds, signal: "spans", from, to } as const;
  const sent = type === "string" ? await events.listAttributeKeys(whose, MAX_KEYS) : [];
  const others = sent.filter(({ key }) => !findField(SPAN_VOCABULARY, key)).map(({ key }) => ({ key, isKnown: false }));
  return [...known, ...others].filter(({ key }) => key.toLowerCase().includes(part.toLowerCase()));
}

function toAttributeType(type: FieldType): AttributeType {
  if (type === "number" || type === "duration" || type === "time") return "number";
  return type === "boolean" ? "boolean" : "string";
}
