import type { Workspace } from "../../access/workspace.ts";
import { API_SCOPES } from "../../domain/api-token.ts";
import { hasRight } from "../../domain/scope.ts";
import type { User } from "../../domain/user.ts";
import { findDeliveryTrouble } from "../delivery/get-delivery-page.server.ts";
import { sayDeliveryTrouble } from "../delivery/say-delivery-trouble.server.ts";
import { sayStorageNews } from "../storage/say-storage-news.ts";
import { listViews } from "../views/list-views.server.ts";
import type { FrameNotice } from "./frame-notices.tsx";
import { sayRebuild } from "./say-rebuild.server.ts";

/** The data of the frame around every page. */
export async function loadFrame(workspace: Workspace, viewer: User) {
  const [projects, views] = await Promise.all([
    workspace.state.projects.listProjects(workspace.scope),
    listViews(workspace),
  ]);
  const trouble = await findDeliveryTrouble(workspace);
  const storage = sayStorageNews(workspace.storage.last(), workspace.storage.lostDays(), Date.now());
  const rebuild = workspace.rebuild();
  const notices: FrameNotice[] = [
    ...(workspace.notifications.sendsNothing ? [SENDS_NOTHING] : []),
    ...(trouble ? [sayDeliveryTrouble(trouble)] : []),
    ...(storage ? [{ ...storage, more: { to: "/settings/storage", label: "See storage" } }] : []),
    ...(rebuild ? [sayRebuild(rebuild)] : []),
  ];
  return {
    organization: workspace.organization.slug,
    viewer: { id: viewer.id, name: viewer.name, email: viewer.email },
    // Implied rights are included, so pages only check whether a right is in the list.
    rights: API_SCOPES.filter((right) => hasRight(workspace.scope, right)),
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    views,
    isRebuilding: rebuild !== null,
    sendsNothing: workspace.notifications.sendsNothing,
    notices,
    backlog: { at: Date.now(), ...workspace.backlog() },
  };
}

/** A copy of the data looks like the server that sends messages. */
const SENDS_NOTHING: FrameNotice = {
  title: "This server tells nobody.",
  text: "It was started with SEND_NOTHING=1: messages wait, mail is off, and no monitored address is asked.",
};

export type FrameData = Awaited<ReturnType<typeof loadFrame>>;
