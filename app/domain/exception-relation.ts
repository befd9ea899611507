import type { SentryException } from "./event.ts";

/** The relation of an exception to the thrown one. `parent`: the type of the exception that it belongs to. */
export interface ExceptionRelation {
  kind: "member" | "suppressed" | "context" | "cause";
  parent: string | null;
}

/**
 * @param values as SDKs send them: the thrown exception is the last one. Returns null for the thrown one.
 */
export function findRelation(values: readonly SentryException[], index: number): ExceptionRelation | null {
  if (index === values.length - 1) return null;
  const { type, source, parent_id: parentId } = values[index]?.mechanism ?? {};
  const found = parentId === undefined ? undefined : values.find((other) => other.mechanism?.exception_id === parentId);
  const parent = found?.type ?? null;
  if (source?.startsWith("errors[") || source?.startsWith("exceptions[") || found?.mechanism?.is_exception_group)
    return { kind: "member", parent };
  // The SDK for Java says it as the type.
  if (source?.startsWith("suppressed") || type === "suppressed") return { kind: "suppressed", parent };
  return { kind: source === "__context__" ? "context" : "cause", parent };
}
