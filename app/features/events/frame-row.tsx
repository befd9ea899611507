import { createContext, use, useState } from "react";
import type { StackPlace } from "../../domain/symbolication.ts";
import { Badge } from "../../ui/badge.tsx";
import { useFrameDoctor } from "../source-maps/doctor-context.tsx";
import { FrameDoctorFold, isMissed } from "../source-maps/frame-doctor.tsx";
import { toFrameFunction, toFramePlace, toFramePosition } from "./frame-words.ts";
import type { PlacedFrame } from "./layout-frames.ts";
import { SourceLines } from "./source-lines.tsx";
import { SourceLink } from "./source-link.tsx";
import { ValueTree } from "./value-tree.tsx";

/** The platform of the event. It gives the language of frames whose file name does not tell it. */
export const EventPlatform = createContext("");

/** One call: function and place. The source around the line and the variables can be opened. */
export function FrameRow({
  placed,
  isOpen,
  isGrouped,
  place: stackPlace,
}: {
  placed: PlacedFrame;
  isOpen: boolean;
  isGrouped: boolean;
  place: StackPlace;
}) {
  const { frame, repeatCount } = placed;
  const platform = use(EventPlatform);
  const [isSeen, setIsSeen] = useState(isOpen);
  const frameDoctor = useFrameDoctor(stackPlace, placed.index);
  const hasMore = frame.context_line !== undefined || hasEntries(frame.vars) || hasEntries(frame.lock);
  const place = toFramePlace(frame);
  const head = (
    <span className="stack-frame-head">
      {place && (
        <>
          <span className="stack-frame-place" title={frame.abs_path ?? frame.package}>
            {place}
            <span className="stack-frame-position">{toFramePosition(frame)}</span>
          </span>
          <span className="stack-frame-in">in</span>
        </>
      )}
      <span className="stack-frame-function">{toFrameFunction(frame)}</span>
      <span className="stack-frame-marks">
        {repeatCount > 1 && <Badge tone="outline">× {repeatCount}</Badge>}
        {isGrouped && (
          <span className="stack-frame-grouped" title="This frame is part of the key by which the event is grouped.">
            in the key
          </span>
        )}
        {frame.in_app && <span className="sr-only">In app</span>}
      </span>
    </span>
  );
  const className = frame.in_app ? "stack-frame stack-frame-own" : "stack-frame";
  const doctor = <FrameDoctorFold doctor={frameDoctor} />;
  // A missing source map is shown at once. How a frame was mapped is shown after its source.
  const isSaid = frameDoctor !== null && isMissed(frameDoctor);
  if (!hasMore) {
    return (
      <li className={className}>
        {head}
        <SourceLink frame={frame} />
        {doctor}
      </li>
    );
  }
  return (
    <li className={className}>
      <details open={isOpen || undefined} onToggle={(event) => setIsSeen(event.currentTarget.open)}>
        <summary>{head}</summary>
        <SourceLines frame={frame} platform={platform} isSeen={isSeen} />
        {hasEntries(frame.vars) && (
          <dl className="stack-frame-variables" aria-label={`Variables of ${toFrameFunction(frame)}`}>
            {Object.entries(frame.vars ?? {}).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <ValueTree value={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {!isSaid && doctor}
      </details>
      <SourceLink frame={frame} />
      {isSaid && doctor}
    </li>
  );
}

function hasEntries(record: Record<string, unknown> | undefined): boolean {
  return record !== undefined && Object.keys(record).length > 0;
}
