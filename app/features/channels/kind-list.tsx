import { Link } from "react-router";
import { CHANNEL_KINDS } from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { Panel } from "../../ui/card.tsx";
import { ChannelIcon } from "./channel-icon.tsx";

/** The kinds of channels that can be added, each with its limits. `query`: passed on to the form. */
export function KindList({ query = "" }: { query?: string }) {
  return (
    <Panel title="Add a channel" isFlush>
      <ul aria-label="Kinds of channels" className="divide-y divide-line">
        {CHANNEL_KINDS.map((kind) => {
          const { title, description, cannot } = CHANNEL_KIND_WORDS[kind];
          return (
            <li key={kind} className="grid grid-cols-[1rem_1fr] gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm [&_svg]:size-4">
              <span className="pt-0.5">
                <ChannelIcon kind={kind} />
              </span>
              <Link to={`/settings/channels/new?kind=${kind}${query}`} className="font-semibold hover:underline">
                {title}
              </Link>
              <p className="col-start-2 text-muted text-xs">
                {description} {cannot}
              </p>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
