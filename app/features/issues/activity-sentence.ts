import type { Resolution } from "../../domain/release.ts";
import type { IssueActivity } from "../../stores/state-store.ts";
import { sayResolution, toShortName } from "./resolution-words.ts";

/** What happened to an issue, in a sentence without a full stop. */
export function toActivitySentence({ kind, user, data }: IssueActivity): string {
  const who = user?.name ?? "Culprit";
  const undo = data.isUndo ? ", undoing a change" : "";
  switch (kind) {
    case "first_seen":
      return "First seen";
    case "resolved": {
      const words = sayResolution((data.resolution as Resolution | undefined) ?? null);
      return `${who} resolved it${words && ` ${words}`}${undo}`;
    }
    case "archived":
      return `${who} archived it${undo}`;
    case "reopened":
      return `${who} reopened it${undo}`;
    case "regressed":
      return `Happened again after it was resolved${
        typeof data.release === "string" ? `, in ${toShortName(data.release)}` : ""
      }`;
    case "joined":
      return data.isWhole
        ? `${data.shortId} joined it: a source map showed that they are the same`
        : `Events of ${data.shortId} joined it, by a source map`;
    case "split_off":
      return `Split off from ${data.shortId} by a source map`;
    case "moved_away":
      return `Events moved to ${data.shortId}, by a source map`;
  }
}
