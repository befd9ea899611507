import type { IssueOfProject, LiveFeed } from "../domain/live-message.ts";

/** Issues of one message: some 20 KB. */
const MAX_CHANGES = 500;

/** Tells open pages of what happened to issues: a change of many at once in a few messages, after a turn of the event loop. */
export function createActivityPublisher(
  feed: Pick<LiveFeed, "publish">,
  now: () => number,
): (issue: IssueOfProject) => void {
  let waiting = new Map<number, IssueOfProject>();
  const publish = () => {
    const changes = [...waiting.values()];
    waiting = new Map();
    for (let from = 0; from < changes.length; from += MAX_CHANGES)
      feed.publish({ kind: "activity", at: now(), changes: changes.slice(from, from + MAX_CHANGES) });
  };
  return (issue) => {
    if (waiting.size === 0) setImmediate(publish);
    waiting.set(issue.issueId, issue);
  };
}
