import type { AuditActor } from "../../domain/audit/audit-entry.ts";

/** Who begins the sentence of an entry: a name as it is written, without the address; or words, which begin with a capital letter. */
export function toActorWords({ kind, name }: Pick<AuditActor, "kind" | "name">): string {
  if (kind === "stranger" || kind === "server") return name.charAt(0).toUpperCase() + name.slice(1);
  return name.replace(/ <[^>]*>$/, "");
}
