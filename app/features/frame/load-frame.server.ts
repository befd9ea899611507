import type { Workspace } from "../../access/workspace.ts";
import type { User } from "../../domain/user.ts";
import { findDeliveryTrouble } from "../delivery/get-delivery-page.server.ts";
import { sayStorageNews } from "../storage/say-storage-news.ts";
import { listViews } from "../views/list-views.server.ts";

/** What the frame around every page shows. */
export async function loadFrame(workspace: Workspace, viewer: User) {
  const [projects, views] = await Promise.all([
    workspace.state.projects.listProjects(workspace.scope),
    listViews(workspace),
  ]);
  return {
    organization: workspace.organization.slug,
    viewer: { id: viewer.id, name: viewer.name, email: viewer.email },
    rights: workspace.scope.rights,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    views,
    rebuild: workspace.rebuild(),
    delivery: await findDeliveryTrouble(workspace),
    storage: sayStorageNews(workspace.storage.last(), workspace.storage.lostDays(), Date.now()),
    backlog: { at: Date.now(), ...workspace.backlog() },
  };
}

export type FrameData = Awaited<ReturnType<typeof loadFrame>>;
