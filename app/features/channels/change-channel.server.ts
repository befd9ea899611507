import type { Workspace } from "../../access/workspace.ts";
import type { ChannelWithSecrets } from "../../domain/channels/channel.ts";
import { mayManageChannel } from "../../domain/channels/may-manage.ts";
import { readChannelFields } from "../../domain/channels/read-channel-fields.ts";
import { rotateSigningSecret } from "../../notifications/sign-webhook.server.ts";
import { readIntent } from "../input/read-intent.ts";
import { readAbout, sayWhyNot } from "./add-channel.server.ts";
import { CHANNEL_GONE, type ChannelResult, refuseChannel } from "./channel-result.ts";
import { testChannel } from "./test-channel.server.ts";

/** Does what the `intent` of the pressed button says. */
export async function changeChannelByForm(
  workspace: Workspace,
  { form, channelId, now }: { form: FormData; channelId: number; now: number },
): Promise<ChannelResult> {
  const pressed = readIntent(form, ["save", "test", "rotate-secret", "delete"]);
  if (!pressed.ok) return refuseChannel(400, null, pressed.message);
  const { state, scope } = workspace;
  const channel = await state.channels.getChannel(scope, channelId);
  if (channel === null) return CHANNEL_GONE;
  // A test is sent in the name of the organization, so it needs the same right.
  if (!mayManageChannel(scope, channel))
    return refuseChannel(403, null, "Only owners and managers change a channel of projects that you do not see.");
  switch (pressed.intent) {
    case "save":
      return await saveChannel(workspace, channel, { form, now });
    case "test":
      return await testChannel(workspace, { channel, now });
    case "rotate-secret":
      return await rotateSecret(workspace, channel, now);
    case "delete": {
      const isDone = await state.channels.deleteChannel(scope, channelId);
      return isDone ? { ok: true, message: `${channel.name} is deleted.`, channelId: null } : CHANNEL_GONE;
    }
  }
}

async function saveChannel(
  { state, scope }: Workspace,
  channel: ChannelWithSecrets,
  { form, now }: { form: FormData; now: number },
): Promise<ChannelResult> {
  const about = readAbout(scope, form);
  if (!about.ok) return about;
  const fields = readChannelFields(channel.kind, (name) => String(form.get(name) ?? ""), channel.secrets);
  if (!fields.ok) return refuseChannel(400, fields.field, fields.message);
  const saved = await state.channels.changeChannel(scope, {
    channelId: channel.id,
    name: about.name,
    projectIds: about.projectIds,
    settings: fields.settings,
    // Secrets that the server made itself have no field in the form.
    secrets: { ...channel.secrets, ...fields.secrets },
    at: now,
  });
  return saved.ok ? { ok: true, message: "Saved.", channelId: channel.id } : sayWhyNot(saved.reason);
}

async function rotateSecret(
  { state, scope }: Workspace,
  channel: ChannelWithSecrets,
  now: number,
): Promise<ChannelResult> {
  if (channel.kind !== "webhook") return refuseChannel(400, null, "Only webhooks have a secret that signs.");
  const secrets = rotateSigningSecret(channel.secrets, now);
  const saved = await state.channels.changeChannel(scope, { channelId: channel.id, secrets, at: now });
  if (!saved.ok) return sayWhyNot(saved.reason);
  const message = "New secret made. For 24 hours messages are signed with the former one, too.";
  return { ok: true, message, channelId: channel.id, secret: secrets.secret };
}
