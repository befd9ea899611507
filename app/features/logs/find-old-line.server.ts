import type { Workspace } from "../../access/workspace.ts";
import { readOldLine } from "./log-place.ts";

/** The highest number of lines of one instant that are checked. */
const MAX_LINES = 1_000;

/**
 * The id of the line that an older link means: the line with the link's number, or the only line of its instant. Null: it is not an
 * older link, or its line cannot be found.
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
