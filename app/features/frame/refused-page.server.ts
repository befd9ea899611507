import type { Workspace } from "../../access/workspace.ts";
import type { User } from "../../domain/user.ts";
import { loadFrame } from "./load-frame.server.ts";
import type { RefusedPage } from "./refused-page.ts";
import { readTheme } from "./theme-cookie.server.ts";

/** The most people who can change a role that are named. */
const NAMED = 3;

/** A page that the viewer's role does not allow. It has the frame around it, and the names of people who can help. */
export async function refusePage(
  refused: string,
  { workspace, viewer, request }: { workspace: Workspace; viewer: User; request: Request },
): Promise<RefusedPage> {
  const [frame, members] = await Promise.all([
    loadFrame(workspace, viewer),
    workspace.state.members.listMembers(workspace.scope),
  ]);
  const helpers = members.filter(({ role }) => role === "owner" || role === "manager");
  const names = helpers.slice(0, NAMED).map(({ name }) => name);
  const more = helpers.length - names.length;
  const said = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    message: names.length > 0 ? `${refused} In this organization: ${said}.` : refused,
    frame,
    theme: readTheme(request),
  };
}

/**
 * Whether a person sees the answer as a page: the browser asks for a document, or the router for the data of a page. Others (scripts,
 * streams, downloads by script) get only the sentence.
 */
export function isForPage(request: Request): boolean {
  return (
    request.headers.get("accept")?.includes("text/html") === true || new URL(request.url).pathname.endsWith(".data")
  );
}
