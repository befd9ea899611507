import type { Workspace } from "../../access/workspace.ts";
import { readOldLine } from "./log-place.ts";

/** Lines of one instant that are looked through. */
const MAX_LINES = 1_000;

/**
 * The id of the line that an older link means: the one with its number, or the only one of its instant. Null: it is no older link, or nobody
 * can tell which line it means.
 */
export async function findOldLine(
  { events, scope }: Pick<Workspace, "events" | "scope">,
  line: string | null,
): Promise<string | null> {
  const old = readOldLine(line);
  if (old === null) return null;
  const lines = await events.listLogsAt(scope.projectIds, old.occurredUs, MAX_LINES);
  const found = lines.find(({ ordinal }) => ordinal === old.ordinal) ?? (lines.length === 1 ? lines[0] : undefined);
  return found?.id ?? null;
}
