import { Link } from "react-router";
import { MISSING_WORDS } from "./missing-words.ts";
import type { Timeline, TimelineHead } from "./timeline.ts";
import { Reason } from "./timeline-lane-row.tsx";

const KEYS: ReadonlyArray<[keys: string[], words: string]> = [
  [["j", "k"], "next thing in any lane"],
  [["↑", "↓"], "lane"],
  [["←", "→"], "cursor"],
  [["+", "−"], "zoom"],
  [["0"], "the throw"],
];

/** What is missing from the axis and why, and the keyboard shortcuts. */
export function TimelineNotes({
  head,
  timeline,
  isCompact,
}: {
  head: Pick<TimelineHead, "traceId">;
  timeline: Timeline;
  isCompact: boolean;
}) {
  const missing = timeline.lanes.flatMap(({ id, name, state }) =>
    state.kind === "present" ? [] : [{ id, name, state }],
  );
  return (
    <footer className="timeline-notes">
      {timeline.leftOut.length > 0 && (
        <p>
          {timeline.leftOut.join(" ")}{" "}
          {head.traceId && (
            <Link to={`/traces/${head.traceId}`} className="underline">
              The whole trace
            </Link>
          )}
        </p>
      )}
      {missing.length > 0 && (
        <section className="timeline-missing" aria-label="Not on this axis">
          <h3>Not on this axis</h3>
          <dl>
            {missing.map(({ id, name, state }) => (
              <div key={id}>
                <dt>
                  {name} <span className="text-muted">{MISSING_WORDS[state.kind]}</span>
                </dt>
                <dd>
                  <Reason {...state} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {!isCompact && (
        <p className="timeline-keys" aria-hidden="true">
          {KEYS.map(([keys, words]) => (
            <span key={words}>
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}{" "}
              {words}
            </span>
          ))}
        </p>
      )}
    </footer>
  );
}
