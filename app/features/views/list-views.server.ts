import type { Workspace } from "../../access/workspace.ts";
import type { SavedView } from "../../domain/saved-view.ts";

/** The views that the person may use. A token of the organization has none. */
export async function listViews({
  state,
  scope,
  user,
}: Pick<Workspace, "state" | "scope" | "user">): Promise<SavedView[]> {
  return user === null ? [] : state.savedViews.listViews(scope, user.id);
}
