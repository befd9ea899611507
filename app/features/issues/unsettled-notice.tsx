import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { Notice } from "../../ui/notice.tsx";
import type { IssueState } from "./issue-page-news.ts";
import { enumerate } from "./list-in-words.ts";

const PAUSE_MS = 1_000;
const MAX_NAMED = 3;

/** That events of merged issues are still on their way to this one. The page is read again once they are there. */
export function UnsettledNotice({ issueId, shortIds }: { issueId: number; shortIds: readonly string[] }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isEnded = false;
    const look = async () => {
      // What cannot be had now is asked for again.
      const answer = await fetch(`/issues/${issueId}/state`).catch(() => null);
      const state = answer?.ok ? ((await answer.json().catch(() => null)) as IssueState | null) : null;
      // A reading that takes long is waited for: another one would start it over.
      if (state?.isSettled && !isEnded) await revalidate();
      wait();
    };
    const wait = () => {
      if (!isEnded) timer = setTimeout(() => void look(), PAUSE_MS);
    };
    wait();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [issueId, revalidate]);
  return (
    <Notice title={`Events of ${enumerate(shortIds, MAX_NAMED)} are being moved here`}>
      <p>Until they are, the graph, the tags and the list of events lack them. The count of the issue has them all.</p>
    </Notice>
  );
}
