import { useEffect, useState } from "react";
import { formatCount } from "../../ui/count.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useLive } from "../live/use-live.ts";

/** A backlog that is worked off faster than this is not worth a word. */
const WORTH_SAYING_SECONDS = 3;
/** A few that have just come: they are there before the sentence is read. */
const WORTH_SAYING_RECORDS = 50;

interface Backlog {
  records: number;
  recordsPerSecond: number;
}

/** Says that what is shown is not yet all that arrived, for as long as that is so. */
export function BacklogNotice({ initial }: { initial: Backlog }) {
  const [backlog, setBacklog] = useState(initial);
  useEffect(() => setBacklog(initial), [initial]);
  useLive((event) => {
    if (event.kind === "backlog") setBacklog(event);
  });
  const { records, recordsPerSecond } = backlog;
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
