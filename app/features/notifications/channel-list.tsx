import { CircleCheck, CircleDashed, Mail, OctagonAlert, TriangleAlert, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { useNow } from "../../ui/clock.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatAge } from "../../ui/format-age.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { ChannelItem } from "./get-notification-page.server.ts";

/** Each address and the webhook: whether it works, what it answered last, and a test. Those that fail come first. */
export function ChannelList({
  channels,
  webhookHost,
}: {
  channels: readonly ChannelItem[];
  webhookHost: string | null;
}) {
  const isFailing = (item: ChannelItem) => stateOf(item) === "failing";
  const sorted = [...channels.filter(isFailing), ...channels.filter((item) => !isFailing(item))];
  return (
    <Panel title="Channels" description="The last answer of each channel. Tests are sent at once." isFlush>
      {channels.length === 0 ? (
        <EmptyState title="No channel">Set up mail and add an address, or add a webhook.</EmptyState>
      ) : (
        <ul aria-label="Channels" className="divide-y divide-line">
          {sorted.map((item) => (
            <ChannelEntry
              key={`${item.channel} ${item.address}`}
              item={item}
              name={item.channel === "email" ? item.address : `Webhook at ${webhookHost}`}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type State = "works" | "failing" | "recovered" | "unused";

function stateOf({ lastDeliveredAt, lastFailedAt }: ChannelItem): State {
  if (lastFailedAt === null) return lastDeliveredAt === null ? "unused" : "works";
  if (lastDeliveredAt === null || lastFailedAt > lastDeliveredAt) return "failing";
  return "recovered";
}

const LOOKS: Record<State, { words: string; className: string; icon: ReactNode }> = {
  works: { words: "works", className: "text-resolved", icon: <CircleCheck aria-hidden="true" /> },
  recovered: { words: "works again", className: "text-warning", icon: <TriangleAlert aria-hidden="true" /> },
  failing: { words: "fails", className: "text-error", icon: <OctagonAlert aria-hidden="true" /> },
  unused: { words: "nothing sent yet", className: "text-muted", icon: <CircleDashed aria-hidden="true" /> },
};

function ChannelEntry({ item, name }: { item: ChannelItem; name: string }) {
  const { channel, address, lastDeliveredAt, lastAnswer, lastFailedAt, lastFailure, waiting } = item;
  const sent = useNavigation().formData;
  const isPending =
    sent?.get("intent") === "test" && sent.get("channel") === channel && sent.get("address") === address;
  const { words, className, icon } = LOOKS[stateOf(item)];
  return (
    <li className="grid gap-1 px-4 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 items-center gap-2 [&_svg]:size-4 [&_svg]:shrink-0">
          {channel === "email" ? <Mail aria-hidden="true" /> : <Webhook aria-hidden="true" />}
          <span className="wrap-anywhere font-semibold">{name}</span>
        </span>
        <span className={`inline-flex items-center gap-1 font-semibold text-xs [&_svg]:size-3.5 ${className}`}>
          {icon}
          {words}
        </span>
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
      {lastFailedAt !== null && (
        <p className="wrap-anywhere">
          Last failure <RelativeTime at={lastFailedAt} />: <code className="text-xs">{lastFailure}</code>
        </p>
      )}
      {lastDeliveredAt !== null && (
        <p className="wrap-anywhere text-muted">
          Last message <RelativeTime at={lastDeliveredAt} />, answered <code className="text-xs">{lastAnswer}</code>
        </p>
      )}
      {waiting > 0 && <Waiting item={item} />}
    </li>
  );
}

function Waiting({ item: { waiting, nextAttemptAt } }: { item: ChannelItem }) {
  const inMs = (nextAttemptAt ?? 0) - useNow();
  return (
    <p className="text-muted">
      {waiting === 1 ? "One message waits" : `${waiting} messages wait`}; the next try is{" "}
      {inMs < 60_000 ? "within a minute" : `in ${formatAge(inMs)}`}.
    </p>
  );
}
