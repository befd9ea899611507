import { RefreshCw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useNavigation, useRevalidator, useSearchParams } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { hasNewsSince, type IssuesMessage, listIssuesMessages, useLive } from "../live/use-live.ts";
import { type IssueState, sayIssuePageNews } from "./issue-page-news.ts";
import { toIssuePath } from "./issue-paths.ts";

/** While events come in all the time, the page asks this often. */
const ASK_EVERY_MS = 2_000;

/**
 * Says that the issue has changed since the page was read, by events or by somebody else, and shows it when asked. Nothing
 * on the page moves until then.
 */
export function IssuePageNewsStrip({
  issue,
  readAt,
  newestActivityId,
}: {
  issue: Issue;
  /** When the page was read: milliseconds since 1970, by the server's clock. */
  readAt: number;
  /** Of the entries that the page shows; null: it shows none. */
  newestActivityId: number | null;
}) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  // Of another reading of the issue it says nothing.
  const [known, setKnown] = useState<{ of: Issue; state: IssueState | "gone" } | null>(null);
  // What is sent now may delete the issue, and then the page leaves it by itself. If it stays, it is read again, and asks then.
  const isSending = useNavigation().formData !== undefined;
  const askAgain = useAsk({ issue, newestActivityId, isSending }, (state) => setKnown({ of: issue, state }));
  const hasAsked = useRef(false);
  const ask = useCallback(() => {
    hasAsked.current = true;
    askAgain();
  }, [askAgain]);
  useLive((event) => {
    // What was published before the feed was open is told to no page.
    const isMissed = event.kind === "opened" && hasNewsSince(readAt);
    if (event.kind === "gap" || event.kind === "resumed" || isMissed) ask();
    if (
      (event.kind === "issues" || event.kind === "activity") &&
      event.changes.some(({ issueId }) => issueId === issue.id)
    )
      ask();
  });
  // While the page was hidden, it may have been told of nothing.
  useEffect(() => {
    window.addEventListener("focus", ask);
    return () => window.removeEventListener("focus", ask);
  }, [ask]);
  // A reading that was on its way when the news came may lack it: the answer was about the reading before, or there was none.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs for each reading
  useEffect(() => {
    const isOfIssue = ({ changes }: IssuesMessage) => changes.some(({ issueId }) => issueId === issue.id);
    if (hasAsked.current || listIssuesMessages(readAt).some(isOfIssue)) askAgain();
    hasAsked.current = false;
  }, [issue, askAgain]);

  const state = known?.of === issue ? known.state : null;
  const isGone = state === "gone";
  const words = state && !(isGone && isSending) && sayIssuePageNews(issue, state);
  const show = async () => {
    if (isGone) return navigate("/issues");
    // The header stays as it is from event to event: it is asked for by itself.
    if (state && state.eventCount > issue.eventCount) await navigate(toIssuePath(issue.id, "", search));
    await revalidate();
  };
  return (
    <div role="status" className="issue-page-news">
      {words && (
        <button type="button" data-shortcut="n" onClick={() => void show()}>
          <RefreshCw aria-hidden="true" />
          {words}
          <span className="issue-news-show">{isGone ? "All issues" : "Show"}</span>
        </button>
      )}
    </div>
  );
}

/** Gives the function that asks how the issue stands: at once, and then not more often than it may. */
function useAsk(shown: Shown, onAnswer: (state: IssueState | "gone") => void): () => void {
  const latest = useRef({ shown, onAnswer });
  useEffect(() => {
    latest.current = { shown, onAnswer };
  });
  const [ask, stop] = useState(() => createAsking(() => latest.current))[0];
  useEffect(() => stop, [stop]);
  return ask;
}

interface Shown {
  issue: Issue;
  newestActivityId: number | null;
  isSending: boolean;
}

function createAsking(
  latest: () => { shown: Shown; onAnswer: (state: IssueState | "gone") => void },
): [ask: () => void, stop: () => void] {
  let askedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = async () => {
    timer = undefined;
    const { shown, onAnswer } = latest();
    const { issue, newestActivityId, isSending } = shown;
    if (isSending) return;
    askedAt = Date.now();
    // What cannot be had now is asked for again with the next message.
    const answer = await fetch(`/issues/${issue.id}/state?after=${newestActivityId ?? 0}`).catch(() => null);
    const read = async () => (await answer?.json().catch(() => null)) as IssueState | null;
    const state = answer?.status === 404 ? "gone" : answer?.ok ? await read() : null;
    if (state && latest().shown.issue === issue) onAnswer(state);
  };
  return [
    () => {
      timer ??= setTimeout(() => void load(), Math.max(0, askedAt + ASK_EVERY_MS - Date.now()));
    },
    () => clearTimeout(timer),
  ];
}
