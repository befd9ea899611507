import { CircleCheck, CircleDashed, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ChannelResults } from "../../domain/channels/channel.ts";
import { useNow } from "../../ui/clock.tsx";
import { formatAge } from "../../ui/format-age.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";

type State = "works" | "failing" | "recovered" | "unused";
type Results = Pick<ChannelResults, "lastDeliveredAt" | "lastFailedAt">;

function stateOf({ lastDeliveredAt, lastFailedAt }: Results): State {
  if (lastFailedAt === null) return lastDeliveredAt === null ? "unused" : "works";
  if (lastDeliveredAt === null || lastFailedAt > lastDeliveredAt) return "failing";
  return "recovered";
}

/** Sorts channels that fail to the front. */
export function withFailingFirst<Item extends Results>(items: readonly Item[]): Item[] {
  const isFailing = (item: Item) => stateOf(item) === "failing";
  return [...items.filter(isFailing), ...items.filter((item) => !isFailing(item))];
}

const LOOKS: Record<State, { words: string; className: string; icon: ReactNode }> = {
  works: { words: "works", className: "text-resolved", icon: <CircleCheck aria-hidden="true" /> },
  recovered: { words: "works again", className: "text-warning", icon: <TriangleAlert aria-hidden="true" /> },
  failing: { words: "fails", className: "text-error", icon: <OctagonAlert aria-hidden="true" /> },
  unused: { words: "nothing sent yet", className: "text-muted", icon: <CircleDashed aria-hidden="true" /> },
};

/** Whether the channel works, in one word. */
export function ChannelStateMark({ results }: { results: Results }) {
  const { words, className, icon } = LOOKS[stateOf(results)];
  return (
    <span className={`inline-flex items-center gap-1 font-semibold text-xs [&_svg]:size-3.5 ${className}`}>
      {icon}
      {words}
    </span>
  );
}

/** The last message, the last failure with the other side's answer, and the number of waiting messages. */
export function ChannelResultLines({ results }: { results: ChannelResults }) {
  const { lastDeliveredAt, lastAnswer, lastFailedAt, lastFailure, waiting } = results;
  return (
    <>
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
      {waiting > 0 && <Waiting results={results} />}
    </>
  );
}

function Waiting({ results: { waiting, nextAttemptAt } }: { results: ChannelResults }) {
  const inMs = (nextAttemptAt ?? 0) - useNow();
  return (
    <p className="text-muted">
      {waiting === 1 ? "One message waits" : `${waiting} messages wait`}; the next try is{" "}
      {inMs < 60_000 ? "within a minute" : `in ${formatAge(inMs)}`}.
    </p>
  );
}
