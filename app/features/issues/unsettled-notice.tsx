import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { Notice } from "../../ui/notice.tsx";
import type { IssueState } from "./issue-page-news.ts";
import { enumerate } from "./list-in-words.ts";

const LOOK_EVERY_MS = 1_000;
const MAX_NAMED = 3;

/** That events of merged issues are still on their way to this one. The page is read again once they are there. */
export function UnsettledNotice({ issueId, shortIds }: { issueId: number; shortIds: readonly string[] }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(async () => {
      // What cannot be had now is asked for again.
      const answer = await fetch(`/issues/${issueId}/state`).catch(() => null);
      const state = answer?.ok ? ((await answer.json().catch(() => null)) as IssueState | null) : null;
      if (state?.isSettled) await revalidate();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [issueId, revalidate]);
  return (
    <Notice title={`Events of ${enumerate(shortIds, MAX_NAMED)} are being moved here`}>
      <p>Until they are, the graph, the tags and the list of events lack them. The count of the issue has them all.</p>
    </Notice>
  );
}
