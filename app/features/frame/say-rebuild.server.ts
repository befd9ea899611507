import type { RebuildProgress } from "../../domain/rebuild-progress.ts";
import { formatCount } from "../../ui/count.tsx";
import type { FrameNotice } from "./frame-notices.tsx";

/** The notice that lists and graphs are incomplete during a rebuild. */
export function sayRebuild({ step, share, rows }: RebuildProgress): FrameNotice {
  const percent = `${Math.floor(share * 100)} %`;
  if (step === "noting") {
    return {
      title: `Rebuilding events: ${percent} of the stored payloads looked through`,
      text: "The event database was lost. Culprit first reads which events there were, then brings them back. Until then, lists and graphs have none of them, and new events wait on disk. The counts of issues are correct.",
    };
  }
  return {
    title: `Rebuilding events: ${percent} done`,
    text: `The event database was lost. Culprit is rebuilding it from the stored payloads, the newest day first. ${formatCount(rows)} ${rows === 1 ? "row is" : "rows are"} back. Until it is done, lists, graphs and tags are incomplete. New events appear as usual. The counts of issues are correct.`,
  };
}
