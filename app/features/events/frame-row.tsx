import type { Frame } from "../../domain/event.ts";
import type { StackPlace } from "../../domain/symbolication.ts";
import { Badge } from "../../ui/badge.tsx";
import { useFrameDoctor } from "../source-maps/doctor-context.tsx";
import { FrameDoctorFold, isMissed } from "../source-maps/frame-doctor.tsx";
import { toFrameFunction, toFramePlace, toFramePosition } from "./frame-words.ts";
import type { PlacedFrame } from "./layout-frames.ts";
import { SourceLink } from "./source-link.tsx";
import { ValueTree } from "./value-tree.tsx";

/** One call: what and where, and behind it the source around the line and the variables. */
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
          <span
            className="stack-frame-grouped"
            title="This frame is part of the key that puts the event into this issue."
          >
            in the key
          </span>
        )}
        {frame.in_app && <span className="sr-only">In app</span>}
      </span>
    </span>
  );
  const className = frame.in_app ? "stack-frame stack-frame-own" : "stack-frame";
  const doctor = <FrameDoctorFold doctor={frameDoctor} />;
  // What is missed is said at once; how a frame was mapped stands behind its source.
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
      <details open={isOpen || undefined}>
        <summary>{head}</summary>
        <SourceContext frame={frame} />
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

/** The lines around the failing one, which is marked by a sign, a weight and a ground. */
function SourceContext({ frame }: { frame: Frame }) {
  if (frame.context_line === undefined) return null;
  const before = frame.pre_context ?? [];
  const lines = [...before, frame.context_line, ...(frame.post_context ?? [])];
  const first = frame.lineno === undefined ? undefined : frame.lineno - before.length;
  return (
    <section
      className="source"
      aria-label={`Source of ${toFramePlace(frame) ?? "unknown"}${toFramePosition(frame)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <ol>
        {lines.map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file do not move
            key={index}
            className={index === before.length ? "source-line source-guilty" : "source-line"}
            aria-current={index === before.length ? "true" : undefined}
          >
            <span className="source-number" aria-hidden="true">
              {first === undefined ? "" : first + index}
            </span>
            <code>{line === "" ? " " : line}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

function hasEntries(record: Record<string, unknown> | undefined): boolean {
  return record !== undefined && Object.keys(record).length > 0;
}
