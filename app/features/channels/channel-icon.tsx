import { BellRing, Hash, Mail, MessageSquare, Send, Siren, Users, Webhook } from "lucide-react";
import type { ComponentType } from "react";
import type { ChannelKind } from "../../domain/channels/channel.ts";

const ICONS: Record<ChannelKind, ComponentType<{ "aria-hidden": true }>> = {
  email: Mail,
  webhook: Webhook,
  slack: Hash,
  "slack-bot": Hash,
  discord: MessageSquare,
  teams: Users,
  mattermost: MessageSquare,
  telegram: Send,
  ntfy: BellRing,
  pagerduty: Siren,
};

export function ChannelIcon({ kind }: { kind: ChannelKind }) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden />;
}
