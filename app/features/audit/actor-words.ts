import type { AuditActor } from "../../domain/audit/audit-entry.ts";

/** The actor at the start of an entry's sentence. A name is shown as it is written, without its address. Words begin with a capital letter. */
export function toActorWords({ kind, name }: Pick<AuditActor, "kind" | "name">): string {
  if (kind === "stranger" || kind === "server") return name.charAt(0).toUpperCase() + name.slice(1);
  return name.replace(/ <[^>]*>$/, "");
}
