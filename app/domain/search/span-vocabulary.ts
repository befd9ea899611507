import { TYPED_ATTRIBUTES } from "../spans/typed-attributes.ts";
import type { FieldType, SearchField, Vocabulary } from "./search-field.ts";

/** The fields by which spans are found. Any other key is an attribute. */
export const SPAN_VOCABULARY: Vocabulary = {
  fields: [
    field("span.op", "text", "op", "kind of work, like db or http.client", ["op"]),
    field("span.name", "text", "name", "what it did, like SELECT … or GET /cart", [
      "span.description",
      "description",
      "name",
    ]),
    field("span.group", "text", "nameGroup", "its name without ids, numbers and literals"),
    field("span.duration", "duration", "durationMs", "how long it took: >500ms", ["duration"]),
    field("span.status", "text", "status", "ok, internal_error, not_found, …", ["status", "trace.status"]),
    field("span.kind", "text", "kind", "client, server, internal, producer or consumer"),
    field("span.origin", "text", "origin", "what made it, like auto.http.fetch", ["sentry.origin", "origin"]),
    field("transaction", "text", "segment", "name of the request or page that it is part of", ["segment"]),
    field("is_segment", "boolean", "isSegment", "whether it is a transaction, or the first span of a service", [
      "is_transaction",
    ]),
    field("trace", "id", "traceId", "spans of a trace", ["trace.id", "trace_id"]),
    field("id", "spanId", "spanId", "one span, by its 16 hexadecimal digits", ["span_id", "span.id"]),
    field("parent", "spanId", "parentId", "children of a span", ["parent_span", "parent_span.id", "span.parent_id"]),
    field("project", "text", "project", "name of a project in addresses"),
    field("environment", "text", "environment", "where it ran", ["env"]),
    field("release", "version", "release", "version that ran; release:>2.3, release:latest"),
    field("service", "text", "service", "name of the service", ["service.name"]),
    field("sdk", "text", "sdk", "name of the SDK", ["sdk.name"]),
    field("user", "text", "user_id", "the user's id", ["user.id"]),
    field("timestamp", "time", "startedAt", "when it began"),
    ...TYPED_ATTRIBUTES.filter(({ key }) => key !== "user.id").map(({ key, column, type, olderKeys }) =>
      field(key, toFieldType(type), column, "attribute", [...olderKeys]),
    ),
  ],
  text: { row: "event", field: "text" },
  hasTags: true,
  hasNumericTags: true,
  hasNumbers: true,
  refused: {
    is: "It says something about issues.",
    issue: "It says something about errors.",
    level: "It says something about errors.",
    message: "It says something about errors; span.name: is the name of a span.",
  },
};

function toFieldType(type: "text" | "integer" | "boolean"): FieldType {
  return type === "integer" ? "number" : type;
}

function field(key: string, type: FieldType, name: string, description: string, aliases: string[] = []): SearchField {
  return { key, type, fields: [name], description, row: "event", aliases };
}
