import { Link } from "react-router";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ChannelIcon } from "./channel-icon.tsx";
import { ChannelResultLines, ChannelStateMark, withFailingFirst } from "./channel-state.tsx";
import type { ChannelItem } from "./list-channels.server.ts";

/** The channels of the organization: whether each works, and what it answered last. */
export function ChannelList({ channels }: { channels: readonly ChannelItem[] }) {
  return (
    <Panel title="Channels" description="The last answer of each channel. Those that fail come first." isFlush>
      {channels.length === 0 ? (
        <EmptyState title="No channel yet">
          Add one below. Projects then choose which of them hear of issues.
        </EmptyState>
      ) : (
        <ul aria-label="Channels" className="divide-y divide-line">
          {withFailingFirst(channels).map((item) => (
            <li key={item.id} className="grid gap-1 px-4 py-2.5 text-sm">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="flex min-w-0 items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0">
                  <ChannelIcon kind={item.kind} />
                  <Link to={`/settings/channels/${item.id}`} className="wrap-anywhere font-semibold hover:underline">
                    {item.name}
                  </Link>
                </span>
                <ChannelStateMark results={item} />
                <span className="ml-auto text-muted text-xs">{sayServed(item)}</span>
              </div>
              <p className="wrap-anywhere text-muted text-xs">
                {CHANNEL_KIND_WORDS[item.kind].title}
                {item.target && <code className="pl-2">{item.target}</code>}
              </p>
              <ChannelResultLines results={item} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const NAMED_PROJECTS = 3;

/** The projects that a channel serves, in words: `shop, web and 2 more`. */
export function sayServed({ projects, hasOthers }: Pick<ChannelItem, "projects" | "hasOthers">): string {
  if (projects === null) return "All projects";
  const rest = projects.length - NAMED_PROJECTS;
  const named = projects.slice(0, NAMED_PROJECTS).join(", ");
  const more = rest > 0 ? ` and ${rest} more` : "";
  const others = hasOthers ? ", and projects that you do not see" : "";
  return `${named || "No project"}${more}${others}`;
}
