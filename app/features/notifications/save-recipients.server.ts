import type { Workspace } from "../../access/workspace.ts";
import { MAX_EMAILS, parseEmail } from "../../domain/notification.ts";
import type { Project } from "../../domain/project.ts";
import { keepTargets } from "./keep-targets.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** Characters. 50 addresses need far fewer. */
const MAX_TYPED_LENGTH = 20_000;

/** Saves the mail addresses of a project. */
export async function saveRecipients(
  workspace: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const typed = String(form.get("emails") ?? "");
  const parsed = parseEmails(typed);
  if (!parsed.ok) {
    return { ok: false, status: 400, field: "emails", message: parsed.error, typed: typed.slice(0, MAX_TYPED_LENGTH) };
  }
  const { state, scope, notifications } = workspace;
  const ownerEmail = await notifications.findOwnerEmail();
  const [only, second] = parsed.emails;
  // If the owner's address is the only one, the project follows it when it changes.
  const isOwner = only !== undefined && second === undefined && only === ownerEmail?.toLowerCase();
  await keepTargets(workspace, {
    project,
    settings: {
      ...(await state.notifications.getNotificationSettings(scope, project.id)),
      emails: isOwner ? null : parsed.emails,
    },
    now,
  });
  return { ok: true, message: "Saved." };
}

function parseEmails(typed: string): { ok: true; emails: string[] } | { ok: false; error: string } {
  if (typed.length > MAX_TYPED_LENGTH) return { ok: false, error: `At most ${MAX_EMAILS} addresses.` };
  const emails = new Set<string>();
  for (const word of typed.split(/[\s,;]+/)) {
    if (word === "") continue;
    const email = parseEmail(word)?.toLowerCase();
    if (email === undefined) return { ok: false, error: `“${word.slice(0, 80)}” is not an address of e-mail.` };
    emails.add(email);
  }
  if (emails.size > MAX_EMAILS)
    return { ok: false, error: `At most ${MAX_EMAILS} addresses; these are ${emails.size}.` };
  return { ok: true, emails: [...emails] };
}
