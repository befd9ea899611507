import { Mail } from "lucide-react";
import { Link, useNavigation } from "react-router";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ChannelIcon } from "../channels/channel-icon.tsx";
import { ChannelResultLines, ChannelStateMark, withFailingFirst } from "../channels/channel-state.tsx";
import type { TargetItem } from "./get-notification-page.server.ts";

/** The addresses and channels of a project, those that fail first. Each shows whether it works and its last answer, and can be tested. */
export function ChannelList({ targets, areTold }: { targets: readonly TargetItem[]; areTold: boolean }) {
  return (
    <Panel
      title="Addresses and channels of this project"
      description={
        areTold
          ? "Rules tell them as “the addresses and channels of the project”. Here is the last answer of each. Tests are sent at once."
          : "No enabled rule tells “the addresses and channels of the project”: these hear nothing by that name."
      }
      isFlush
    >
      {targets.length === 0 ? (
        <EmptyState title="None">Set up mail and add an address, or choose a channel.</EmptyState>
      ) : (
        <ul aria-label="Addresses and channels of this project" className="divide-y divide-line">
          {withFailingFirst(targets).map((item) => (
            <TargetEntry key={`${item.channel} ${item.address}`} item={item} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function TargetEntry({ item }: { item: TargetItem }) {
  const { channel, address, name, kind } = item;
  const sent = useNavigation().formData;
  const isPending =
    sent?.get("intent") === "test" && sent.get("channel") === channel && sent.get("address") === address;
  return (
    <li className="grid gap-1 px-4 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0">
          {kind === null ? <Mail aria-hidden="true" /> : <ChannelIcon kind={kind} />}
          {kind === null ? (
            <span className="wrap-anywhere font-semibold">{name}</span>
          ) : (
            <Link to={`/settings/channels/${address}`} className="wrap-anywhere font-semibold hover:underline">
              {name}
            </Link>
          )}
        </span>
        <ChannelStateMark results={item} />
        <span className="ml-auto">
          <ButtonForm
            fields={{ channel, address }}
            name="intent"
            value="test"
            size="sm"
            isPending={isPending}
            aria-label={`Send a test to ${name}`}
          >
            Test
          </ButtonForm>
        </span>
      </div>
      <ChannelResultLines results={item} />
    </li>
  );
}
