import { useState } from "react";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Backlog } from "../live/live-event.ts";
import { useLive } from "../live/use-live.ts";

/** A backlog that takes less time than this is not shown. */
const WORTH_SAYING_SECONDS = 3;
/** So few records have just come, and are stored before the sentence is read. */
const WORTH_SAYING_RECORDS = 50;

/** Says that the page does not show everything that arrived yet, for as long as that is so. */
export function BacklogNotice({ read }: { read: Backlog }) {
  const [told, setTold] = useState(read);
  useLive((event) => {
    if (event.kind === "backlog") setTold(event);
  });
  // The page may be older than the last message of the feed. The newer of the two counts.
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
