import { Hash, Mail, MessageSquare, Webhook } from "lucide-react";
import type { ComponentType } from "react";
import type { ChannelKind } from "../../domain/channels/channel.ts";

const ICONS: Record<ChannelKind, ComponentType<{ "aria-hidden": true }>> = {
  email: Mail,
  webhook: Webhook,
  slack: Hash,
  discord: MessageSquare,
  mattermost: MessageSquare,
};

export function ChannelIcon({ kind }: { kind: ChannelKind }) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden />;
}
