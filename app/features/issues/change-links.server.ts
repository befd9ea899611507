import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { TRACKER_LABELS, TRACKERS, toTracker, toWebUrl } from "../../domain/issues/tracker.ts";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { LINK_UNDO, linkIssue, unlinkIssue } from "./link-issue.server.ts";

export const LINK_INTENTS = ["link", "unlink", "tracker"];

/** Handles the forms of an issue's links. Fields: `url`; `link`, the id of a link; `address` and `kind` of the project's tracker. */
export async function changeLinks(
  workspace: Workspace,
  { issue, form, now }: { issue: Issue; form: FormData; now: number },
): Promise<ChangeStatusResult> {
  const done = (message: string, undo: string | null = null): ChangeStatusResult => {
    return { ok: true, message, status: issue.status, undo };
  };
  const field = (name: string) => String(form.get(name) ?? "");
  switch (form.get("intent")) {
    case "link": {
      const linked = await linkIssue(workspace, { issue, url: field("url"), now });
      return linked.ok ? done(`Linked to ${linked.link.name}.`) : linked;
    }
    case "unlink": {
      const unlinked = await unlinkIssue(workspace, { issue, linkId: Number(field("link")), now });
      return unlinked.ok
        ? done(`The link to ${unlinked.link.name} was removed.`, LINK_UNDO + unlinked.link.url)
        : unlinked;
    }
    default: {
      const kind = TRACKERS.find((each) => each === field("kind"));
      const tracker = toTracker(field("address"), kind);
      if (tracker === null)
        return {
          ok: false,
          message:
            toWebUrl(field("address")) === null
              ? "address: Must be the address of a repository, team or site in GitHub, GitLab, Jira or Linear."
              : "kind: Choose one. The address does not say which tracker it is.",
        };
      await workspace.state.externalIssues.setTracker(workspace.scope, issue.projectId, tracker);
      return done(`New issues are made in ${TRACKER_LABELS[tracker.kind]} from now on.`);
    }
  }
}
