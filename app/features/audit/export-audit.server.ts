import type { Workspace } from "../../access/workspace.ts";
import type { AuditEntry } from "../../domain/audit/audit-entry.ts";
import { planAuditSearch, readAudit } from "./list-audit.server.ts";

const COLUMNS = [
  "entry",
  "time",
  "actor kind",
  "actor",
  "action",
  "target kind",
  "target",
  "address",
  "changes",
  "hash",
] as const;

export type ExportFormat = "csv" | "json";

/** The entries that a search finds, as a file that is sent while the entries are read. Null: the search is not understood. */
export function exportAudit(
  workspace: Pick<Workspace, "state" | "scope">,
  { format, search, now }: { format: ExportFormat; search: string; now: number },
): ReadableStream<Uint8Array> | null {
  if (planAuditSearch(search, now).errors.length > 0) return null;
  const lines = format === "csv" ? writeCsv : writeJson;
  const texts = lines(readAudit(workspace, { search, now }));
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

async function* writeCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield toCsvLine(COLUMNS);
  for await (const entries of pages) yield entries.map((entry) => toCsvLine(toCells(entry))).join("");
}

async function* writeJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const entries of pages) {
    yield separator + entries.map((entry) => JSON.stringify(toJson(entry))).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

function toJson({ at, ...entry }: AuditEntry): object {
  return { ...entry, at: new Date(at).toISOString() };
}

function toCells({ id, at, actor, action, target, changes, hash }: AuditEntry): string[] {
  return [
    String(id),
    new Date(at).toISOString(),
    actor.kind,
    actor.name,
    action,
    target.kind,
    target.name,
    actor.address ?? "",
    JSON.stringify(changes),
    hash,
  ];
}

/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe at its start. */
function toCsvLine(cells: readonly string[]): string {
  const written = cells.map((cell) => {
    const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${written.join(",")}\r\n`;
}
