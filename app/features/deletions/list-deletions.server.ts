import type { Workspace } from "../../access/workspace.ts";
import type { DeletionRow } from "../../stores/state/deletion-store.ts";

export interface DeletionItem extends Omit<DeletionRow, "user" | "projectId"> {
  /** Null: a token did it. */
  userName: string | null;
}

/** The deletions in the workspace's projects, newest first. */
export async function listDeletions({ state, scope, user, seesEverything }: Workspace): Promise<DeletionItem[]> {
  // A deleted project is in no scope. Its deletion is shown to people who see every project.
  const rows = await state.deletions.listDeletions(scope, {
    withProjects: seesEverything,
    userId: user?.id ?? null,
  });
  return rows.map(({ user, projectId: _, ...row }) => ({ ...row, userName: user?.name ?? null }));
}
