import type { Workspace } from "../../access/workspace.ts";
import { type ChannelWithSecrets, servesProject } from "../../domain/channels/channel.ts";
import { composeTest } from "../../notifications/message.ts";
import type { ChannelResult } from "./channel-result.ts";

/** Sends a made-up issue to a channel at once, and returns the other side's answer. */
export async function testChannel(
  { state, scope, organization, notifications, user }: Workspace,
  { channel, now }: { channel: ChannelWithSecrets; now: number },
): Promise<ChannelResult> {
  const projects = await state.projects.listProjects(scope);
  const project = projects.find(({ id }) => servesProject(channel, id)) ?? organization;
  const baseUrl = await notifications.findBaseUrl();
  const message = composeTest(project, {
    key: notifications.createKey(),
    baseUrl,
    now,
    by: user,
    where: `the page of the channel ${channel.name}`,
  });
  const result = await notifications.send({ kind: "channel", to: channel }, message);
  const answer = result.ok ? result.answer : result.reason;
  const target = { projectId: 0, channel: "channel", address: String(channel.id) } as const;
  await state.deliveries.noteTest(scope, target, { at: now, isOk: result.ok, answer });
  return result.ok
    ? { ok: true, message: `Test sent to ${channel.name}. It answered: ${answer}`, channelId: channel.id }
    : { ok: true, isBad: true, message: `The test did not reach ${channel.name}: ${answer}`, channelId: channel.id };
}
