import type { Workspace } from "../../access/workspace.ts";
import type { AuditEntry } from "../../domain/audit/audit-entry.ts";
import { AUDIT_VOCABULARY } from "../../domain/search/audit-vocabulary.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import type { Condition } from "../../domain/search/condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";

const PAGE_SIZE = 50;
/** The number of entries that an export reads at a time. */
const EXPORT_STEP = 500;
const MAX_SEARCH_CHARS = 2_000;

export interface AuditList {
  search: string;
  entries: AuditEntry[];
  /** The place at which older entries begin. Null: there are none. */
  nextBefore: number | null;
  /** The parts of the search that are not understood, and where they are. If there are any, nothing was searched. */
  errors: SearchError[];
}

/** A page of the audit log, newest first. `now`: milliseconds since 1970, for relative times. */
export async function listAudit(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  { search, before, limit = PAGE_SIZE, now }: { search: string; before: number | null; limit?: number; now: number },
): Promise<AuditList> {
  const { where, errors } = planAuditSearch(search, now);
  if (errors.length > 0) return { search, entries: [], nextBefore: null, errors };
  return { search, errors, ...(await state.audit.listEntries(scope, { where, before, limit })) };
}

/** Reads all entries that the search finds, newest first, in parts of up to `EXPORT_STEP`. The search must be valid. */
export async function* readAudit(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  { search, now }: { search: string; now: number },
): AsyncGenerator<AuditEntry[]> {
  const { where } = planAuditSearch(search, now);
  for (let before: number | null = null; ; ) {
    const page = await state.audit.listEntries(scope, { where, before, limit: EXPORT_STEP });
    if (page.entries.length > 0) yield page.entries;
    if (page.nextBefore === null) return;
    before = page.nextBefore;
  }
}

export function planAuditSearch(search: string, now: number): { where: Condition; errors: SearchError[] } {
  const { tree, errors } = parseSearch(search);
  const bound = bindSearch(tree, AUDIT_VOCABULARY, now);
  return { where: bound.condition, errors: [...errors, ...bound.errors].sort((one, other) => one.from - other.from) };
}

/** The search and the place that an address names. Without a valid place, the list begins at the newest entry. */
export function readAuditQuery(params: URLSearchParams): { search: string; before: number | null } {
  const before = Number(params.get("before") ?? "");
  return {
    search: (params.get("q") ?? "").trim().slice(0, MAX_SEARCH_CHARS),
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}
