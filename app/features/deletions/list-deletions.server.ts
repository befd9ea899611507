import type { Workspace } from "../../access/workspace.ts";
import type { DeletionRow } from "../../stores/state/deletion-store.ts";

export interface DeletionItem extends Omit<DeletionRow, "user" | "projectId"> {
  /** Null: a token did it. */
  userName: string | null;
}

/** What was deleted of the workspace's projects, the newest first. */
export async function listDeletions({ state, scope, user, seesEverything }: Workspace): Promise<DeletionItem[]> {
  // A project that is gone is in no scope: those see it who see every project.
  const rows = await state.deletions.listDeletions(scope, {
    withProjects: seesEverything,
    userId: user?.id ?? null,
  });
  return rows.map(({ user, projectId: _, ...row }) => ({ ...row, userName: user?.name ?? null }));
}
