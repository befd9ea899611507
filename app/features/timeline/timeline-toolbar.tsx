import { List } from "lucide-react";
import type { Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { Input } from "../../ui/field.tsx";
import { toSkewWords } from "../traces/skew-words.ts";
import { DEFAULT_WINDOW } from "./default-window.ts";
import type { Timeline, TimelineHead, TimeRange } from "./timeline.ts";
import { TIMELINE_TIMES, type TimelineTime, toTimelinePath } from "./timeline-options.ts";
import type { TimelineViewState } from "./use-timeline-view.ts";

/** Chooses the zero point of the ruler, common windows and the clock, and has a search. */
export function TimelineToolbar({
  head,
  timeline,
  view,
  words,
  setWords,
  isCompact,
  search,
}: {
  head: Pick<TimelineHead, "eventId">;
  timeline: Timeline;
  view: TimelineViewState;
  words: string;
  setWords: (words: string) => void;
  isCompact: boolean;
  search: Ref<HTMLInputElement>;
}) {
  const { options, window } = view;
  const zone = useZone();
  const times: Record<TimelineTime, string> = { throw: "To the throw", utc: "UTC", local: zone };
  const isAt = (range: TimeRange) => range.fromUs === window.fromUs && range.toUs === window.toUs;
  const windows: Array<[string, TimeRange]> = [["10 s before, 2 s after", DEFAULT_WINDOW]];
  if (timeline.trace) windows.push(["The trace", widen(timeline.trace)]);
  if (!isCompact) windows.push(["Everything", widen(timeline.whole)]);
  const { skews, corrections } = timeline;
  return (
    <div className="timeline-toolbar needs-script">
      {!options.isList && (
        <>
          {!isCompact && (
            <Choice label="Times">
              {TIMELINE_TIMES.map((time) => (
                <ChoiceButton key={time} isCurrent={options.time === time} onPress={() => view.change({ time })}>
                  {times[time]}
                </ChoiceButton>
              ))}
            </Choice>
          )}
          <Choice label="Window">
            {windows.map(([name, range]) => (
              <ChoiceButton key={name} isCurrent={isAt(range)} onPress={() => view.zoomTo(range)}>
                {name}
              </ChoiceButton>
            ))}
          </Choice>
        </>
      )}
      {!isCompact && (
        <div className="timeline-as-list">
          <Button
            size="sm"
            variant={options.isList ? "secondary" : "quiet"}
            icon={<List aria-hidden="true" />}
            aria-pressed={options.isList}
            onClick={() => view.change({ isList: !options.isList })}
          >
            As a list
          </Button>
        </div>
      )}
      <div className="timeline-clocks">
        {skews.length > 0 && !isCompact && (
          <ChoiceLinks
            label="Clocks"
            links={[
              {
                to: toTimelinePath(head.eventId, { ...options, isAsSent: false }),
                label: "Aligned",
                isCurrent: !timeline.isAsSent,
              },
              {
                to: toTimelinePath(head.eventId, { ...options, isAsSent: true }),
                label: "As sent",
                isCurrent: timeline.isAsSent,
              },
            ]}
          />
        )}
        {(skews.length > 0 || corrections.length > 0) && (
          <p className="text-muted text-xs">{[...skews.map(toSkewWords), ...corrections].join(" ")}</p>
        )}
      </div>
      {!isCompact && (
        <Input
          ref={search}
          type="search"
          controlSize="sm"
          aria-label="Find on the timeline"
          placeholder="Find on the timeline"
          className="ml-auto max-w-60 max-[44rem]:max-w-none"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            setWords("");
            event.currentTarget.blur();
          }}
        />
      )}
    </div>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div role="group" aria-label={label} className="timeline-choice">
      {children}
    </div>
  );
}

function ChoiceButton({
  isCurrent,
  onPress,
  children,
}: {
  isCurrent: boolean;
  onPress: () => void;
  children: React.ReactNode;
}) {
  return (
    <button type="button" aria-pressed={isCurrent} onClick={onPress}>
      {children}
    </button>
  );
}

/** The city of the browser's time zone, like `Berlin`, once script has loaded. */
function useZone(): string {
  const isHydrated = useIsHydrated();
  if (!isHydrated) return "Your zone";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === "UTC" ? "Your zone" : (zone.split("/").at(-1)?.replaceAll("_", " ") ?? "Your zone");
}

function widen({ fromUs, toUs }: TimeRange): TimeRange {
  const room = Math.max((toUs - fromUs) * 0.05, 1_000);
  return { fromUs: Math.round(Math.min(fromUs, 0) - room), toUs: Math.round(Math.max(toUs, 0) + room) };
}
