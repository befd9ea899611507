import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { listTargets } from "../../notifications/list-targets.ts";
import { composeTest } from "../../notifications/message.ts";
import type { Destination } from "../../notifications/send-message.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** Sends a message to one of the project's targets at once, and gives what the other side answered. */
export async function sendTest(
  { state, scope, notifications }: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const settings = await state.notifications.getNotificationSettings(scope, project.id);
  const ownerEmail = await notifications.findOwnerEmail();
  const isMailSetUp = notifications.mailFrom !== null;
  const target = listTargets(project.id, settings, { ownerEmail, isMailSetUp }).find(
    ({ channel, address }) => channel === form.get("channel") && address === form.get("address"),
  );
  if (target === undefined)
    return { ok: false, status: 404, field: "channel", message: "The project does not have this channel any more." };
  const { channel, address } = target;
  const { webhook } = settings;
  const destination: Destination | null =
    channel === "email" ? { channel, address } : webhook && { channel: "webhook", webhook };
  if (destination === null) throw new TypeError("a target of the webhook without one");
  const baseUrl = await notifications.findBaseUrl();
  const message = composeTest(project, { key: notifications.createKey(), baseUrl, now });
  const result = await notifications.send(destination, message);
  const answer = result.ok ? result.answer : result.reason;
  await state.deliveries.noteTest(scope, target, { at: now, isOk: result.ok, answer });
  const name = channel === "email" ? address : "the webhook";
  return result.ok
    ? { ok: true, message: `Test sent to ${name}. It answered: ${answer}` }
    : { ok: true, isBad: true, message: `The test did not reach ${name}: ${answer}` };
}
