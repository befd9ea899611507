import type { Workspace } from "../../access/workspace.ts";
import type { DeletionRow } from "../../stores/state/deletion-store.ts";

export interface DeletionItem extends Omit<DeletionRow, "user" | "projectId"> {
  /** Null: a token did it. */
  userName: string | null;
}

/** What was deleted of the workspace's projects, the newest first. */
export async function listDeletions({ state, scope }: Workspace): Promise<DeletionItem[]> {
  const rows = await state.deletions.listDeletions(scope);
  return rows.map(({ user, projectId: _, ...row }) => ({ ...row, userName: user?.name ?? null }));
}
