import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { keepTargets } from "./keep-targets.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** Saves whether the addresses and channels of a project get new feedback. */
export async function saveFeedbackNews(
  workspace: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const { state, scope } = workspace;
  const { tellsFeedback: _, ...settings } = await state.notifications.getNotificationSettings(scope, project.id);
  const isTold = form.get("feedback") === "on";
  await keepTargets(workspace, { project, settings: { ...settings, ...(isTold && { tellsFeedback: true }) }, now });
  return {
    ok: true,
    message: isTold ? "They hear of new feedback from now on." : "They hear of no new feedback any more.",
  };
}
