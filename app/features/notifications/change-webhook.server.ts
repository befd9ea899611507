import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import { WEBHOOK_FORMS, type Webhook } from "../../domain/notification.ts";
import type { Project } from "../../domain/project.ts";
import { recogniseWebhookForm } from "../../notifications/webhook-form.ts";
import { keepTargets } from "./keep-targets.server.ts";
import type { NotificationResult } from "./notification-result.ts";

const MAX_URL_LENGTH = 2_000;
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

interface Change {
  project: Project;
  now: number;
}

/** Saves the webhook of a project. Without an address, the one that is there keeps it. */
export async function saveWebhook(
  workspace: Workspace,
  { form, ...change }: Change & { form: FormData },
): Promise<NotificationResult> {
  const known = (await workspace.state.notifications.getNotificationSettings(workspace.scope, change.project.id))
    .webhook;
  const typed = String(form.get("url") ?? "").trim();
  const parsed = typed === "" && known !== null ? { ok: true as const, url: new URL(known.url) } : parseUrl(typed);
  if (!parsed.ok) return { ok: false, status: 400, field: "url", message: parsed.error };
  const { url } = parsed;
  const chosen = String(form.get("form") ?? "auto");
  const webhookForm = chosen === "auto" ? recogniseWebhookForm(url) : WEBHOOK_FORMS.find((name) => name === chosen);
  if (webhookForm === undefined)
    return { ok: false, status: 400, field: "form", message: `A form is auto, ${WEBHOOK_FORMS.join(", ")}.` };
  const secret = known?.secret ?? createSecret();
  await put(workspace, change, { url: url.href, form: webhookForm, secret });
  const isShown = known === null && webhookForm === "json";
  return { ok: true, message: "Webhook saved.", ...(isShown && { secret }) };
}

export async function removeWebhook(workspace: Workspace, change: Change): Promise<NotificationResult> {
  await put(workspace, change, null);
  return { ok: true, message: "Webhook removed." };
}

/** The next message is signed with the new secret, and no message with the old one any more. */
export async function rotateWebhookSecret(workspace: Workspace, change: Change): Promise<NotificationResult> {
  const { webhook } = await workspace.state.notifications.getNotificationSettings(workspace.scope, change.project.id);
  if (webhook === null)
    return { ok: false, status: 404, field: "url", message: "The project has no webhook any more." };
  const secret = createSecret();
  await put(workspace, change, { ...webhook, secret });
  return { ok: true, message: "New secret made. The next message is signed with it.", secret };
}

async function put(workspace: Workspace, { project, now }: Change, webhook: Webhook | null): Promise<void> {
  const settings = await workspace.state.notifications.getNotificationSettings(workspace.scope, project.id);
  await keepTargets(workspace, { project, settings: { ...settings, webhook }, now });
}

function parseUrl(typed: string): { ok: true; url: URL } | { ok: false; error: string } {
  if (typed.length > MAX_URL_LENGTH) return { ok: false, error: `At most ${MAX_URL_LENGTH} characters.` };
  const url = URL.parse(typed);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, error: "Give the whole address, beginning with https:// or http://." };
  if (url.username !== "" || url.password !== "")
    return { ok: false, error: "User and password in the address are not sent; messages are signed." };
  return { ok: true, url };
}

function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}
