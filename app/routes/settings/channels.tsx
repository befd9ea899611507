import { workspaceContext } from "../../context.ts";
import { ChannelList } from "../../features/channels/channel-list.tsx";
import { KindList } from "../../features/channels/kind-list.tsx";
import { listChannels } from "../../features/channels/list-channels.server.ts";
import { IfMay } from "../../features/frame/use-may.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/channels.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  return { ...(await listChannels(context.get(workspaceContext))), deleted: url.searchParams.get("deleted") };
}

export default function ChannelsPage({ loaderData: { channels, deleted } }: Route.ComponentProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title="Channels"
        trail={[{ label: "Settings", to: "/settings" }]}
        description="Where Culprit sends messages. Each project chooses on its notification page which of them hear of its issues."
      />
      {deleted !== null && <Notice tone="done" title="The channel is deleted. Messages that waited for it are gone." />}
      <ChannelList channels={channels} />
      <IfMay right="project:write">
        <KindList />
      </IfMay>
    </div>
  );
}

export function meta() {
  return [{ title: "Channels · Culprit" }];
}

export const handle = { section: "settings" };
