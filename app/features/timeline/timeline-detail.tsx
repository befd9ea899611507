import { X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import type { TimelineItem, TimelineLane, TimeRange } from "./timeline.ts";
import type { TimelineTime } from "./timeline-options.ts";
import { formatClock, formatOffset } from "./timeline-words.ts";

/** The details of one item, below its lane. */
export function TimelineDetail({
  item,
  lane,
  originUs,
  time,
  onClose,
  onFit,
}: {
  item: TimelineItem;
  lane: TimelineLane;
  originUs: number;
  time: TimelineTime;
  onClose: () => void;
  onFit: (range: TimeRange) => void;
}) {
  const { label, note, level, fromUs, toUs, service, href, facts } = item;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = section.current;
    const thing = element?.parentElement?.querySelector<HTMLElement>(`[data-key="${CSS.escape(item.key)}"]`);
    return () => {
      // If a key closed the details, the focus returns to the item.
      if (element?.querySelector(":focus-visible")) queueMicrotask(() => thing?.focus());
    };
  }, [item.key]);
  const at = formatClock(originUs + fromUs, time === "local", 1_000);
  return (
    <section ref={section} className="timeline-detail" aria-label={`Details: ${label.slice(0, 80)}`}>
      <div className="timeline-detail-head">
        {level && <LevelMark level={level} showWord />}
        <code className="timeline-detail-label">{label}</code>
        <IconButton label="Close the details" icon={<X aria-hidden="true" />} size="sm" onClick={onClose} />
      </div>
      <dl className="timeline-detail-facts">
        {note && <Fact term="what">{note}</Fact>}
        <Fact term="when">
          {formatOffset(fromUs)}, {at} {time === "local" ? "" : "UTC"}
        </Fact>
        {toUs !== null && <Fact term="took">{formatDuration(toUs - fromUs)}</Fact>}
        {service && <Fact term="service">{service}</Fact>}
        {facts.map(([key, value]) => (
          <Fact key={key} term={key}>
            {value}
          </Fact>
        ))}
      </dl>
      <p className="flex flex-wrap gap-3">
        {href?.startsWith("/attachments/") ? (
          <a href={href} download className="underline">
            Download
          </a>
        ) : (
          href && (
            <Link to={href} className="underline" prefetch="intent">
              {LINK_WORDS[lane.kind] ?? "In the trace"}
            </Link>
          )
        )}
        {toUs !== null && toUs > fromUs && (
          <Button size="sm" variant="quiet" onClick={() => onFit(withRoom(fromUs, toUs))}>
            Fit into the window
          </Button>
        )}
      </p>
    </section>
  );
}

const LINK_WORDS: Partial<Record<TimelineLane["kind"], string>> = {
  deploys: "The release",
  errors: "This error's page",
};

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function withRoom(fromUs: number, toUs: number): TimeRange {
  const room = (toUs - fromUs) * 0.1;
  return { fromUs: fromUs - room, toUs: toUs + room };
}
