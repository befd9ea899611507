import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { listTargets } from "../../notifications/list-targets.ts";
import { composeTest } from "../../notifications/message.ts";
import type { Destination } from "../../notifications/send-message.server.ts";
import type { DeliveryTarget } from "../../stores/state/delivery-store.ts";
import type { NotificationResult } from "./notification-result.ts";

const GONE = {
  ok: false,
  status: 404,
  field: "channel",
  message: "The project does not have this channel any more.",
} as const;

/** Sends a message to one of the project's targets at once, and returns the other side's answer. */
export async function sendTest(
  workspace: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const { state, scope, notifications, user } = workspace;
  const settings = await state.notifications.getNotificationSettings(scope, project.id);
  const ownerEmail = await notifications.findOwnerEmail();
  const isMailSetUp = notifications.mailFrom !== null;
  const target = listTargets(project.id, settings, { ownerEmail, isMailSetUp }).find(
    ({ channel, address }) => channel === form.get("channel") && address === form.get("address"),
  );
  if (target === undefined) return GONE;
  const destination = await findDestination(workspace, target);
  if (destination === null) return GONE;
  const baseUrl = await notifications.findBaseUrl();
  const message = composeTest(project, {
    key: notifications.createKey(),
    baseUrl,
    now,
    by: user,
    where: `the page Notifications of ${project.name}`,
  });
  const result = await notifications.send(destination, message);
  const answer = result.ok ? result.answer : result.reason;
  await state.deliveries.noteTest(scope, target, { at: now, isOk: result.ok, answer });
  const name = destination.kind === "email" ? destination.address : destination.to.name;
  return result.ok
    ? { ok: true, message: `Test sent to ${name}. It answered: ${answer}` }
    : { ok: true, isBad: true, message: `The test did not reach ${name}: ${answer}` };
}

async function findDestination(
  { state, scope }: Workspace,
  { channel, address }: DeliveryTarget,
): Promise<Destination | null> {
  if (channel === "email") return { kind: "email", address };
  const to = await state.channels.getChannel(scope, Number(address));
  return to && { kind: "channel", to };
}
