import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { UnsettledEvents } from "../../domain/issues/unsettled-events.ts";
import { Notice } from "../../ui/notice.tsx";
import type { IssueState } from "./issue-page-news.ts";
import { enumerate } from "./list-in-words.ts";

const PAUSE_MS = 1_000;
const MAX_NAMED = 3;

/** Says which events of the issue are still being moved or stored. When all are in place, the page is read again. */
export function UnsettledNotice({ issueId, unsettled }: { issueId: number; unsettled: readonly UnsettledEvents[] }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isEnded = false;
    const look = async () => {
      // If this fails, it asks again later.
      const answer = await fetch(`/issues/${issueId}/state`).catch(() => null);
      const state = answer?.ok ? ((await answer.json().catch(() => null)) as IssueState | null) : null;
      // An issue is gone when its last event was deleted.
      const isOver = state?.isSettled || answer?.status === 404;
      // Waits for a slow reload: another one would start it over.
      if (isOver && !isEnded) await revalidate();
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
  return unsettled.map((events) => {
    const { title, until } = say(events);
    return (
      <Notice key={events.kind} title={title}>
        <p>{until} The page then updates by itself.</p>
      </Notice>
    );
  });
}

function say(events: UnsettledEvents): { title: string; until: string } {
  switch (events.kind) {
    case "coming":
      return {
        title: `Events of ${enumerate(events.shortIds, MAX_NAMED)} are being moved here`,
        until: "Until they are, the numbers and lists of this issue may lack them.",
      };
    case "leaving":
      return {
        title:
          events.shortIds.length > 0
            ? `Events of this issue are being moved to ${enumerate(events.shortIds, MAX_NAMED)}`
            : "Events of this issue are being grouped again",
        until: `Until they are, its numbers and lists may have events that leave it.${sayProgress(events.lookedAtCount)}`,
      };
    case "deleted":
      return {
        title: "Deleted events of this issue are being removed",
        until: "Until they are, its numbers and lists may still have them.",
      };
  }
}

function sayProgress(count: number): string {
  return count > 0 ? ` So far, ${count.toLocaleString("en")} were looked at.` : "";
}
