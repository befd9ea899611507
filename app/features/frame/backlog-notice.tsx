import { useState } from "react";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Backlog } from "../live/live-event.ts";
import { useLive } from "../live/use-live.ts";

/** A backlog that is worked off faster than this is not worth a word. */
const WORTH_SAYING_SECONDS = 3;
/** A few that have just come: they are there before the sentence is read. */
const WORTH_SAYING_RECORDS = 50;

/** Says that what is shown is not yet all that arrived, for as long as that is so. */
export function BacklogNotice({ read }: { read: Backlog }) {
  const [told, setTold] = useState(read);
  useLive((event) => {
    if (event.kind === "backlog") setTold(event);
  });
  // A page may have been on its way for longer than what the feed tells: the later word counts.
  const { records, recordsPerSecond } = told.at > read.at ? told : read;
  if (records < WORTH_SAYING_RECORDS || records < recordsPerSecond * WORTH_SAYING_SECONDS) return null;
  return (
    <Notice tone="info" className="mb-4">
      <p>
        <strong>
          {formatCount(records)} {records === 1 ? "event is" : "events are"} being processed.
        </strong>{" "}
        They are safe on disk, and appear here by themselves
        {recordsPerSecond >= 1 && ` in about ${toWait(records / recordsPerSecond)}`}.
      </p>
    </Notice>
  );
}

function toWait(seconds: number): string {
  if (seconds < 90) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
