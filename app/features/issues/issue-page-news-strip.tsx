import { RefreshCw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useNavigation, useRevalidator, useSearchParams } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { hasNewsSince, type IssuesMessage, listIssuesMessages, useLive } from "../live/use-live.ts";
import { type IssueState, sayIssuePageNews } from "./issue-page-news.ts";
import { toIssuePath } from "./issue-paths.ts";

/** The page asks this often while events keep coming. */
const ASK_EVERY_MS = 2_000;

/**
 * Says that the issue has changed since the page was read, through events or another person, and shows the change on a click.
 * Nothing on the page moves until then.
 */
export function IssuePageNewsStrip({
  issue,
  readAt,
  newestActivityId,
}: {
  issue: Issue;
  /** When the page was read: milliseconds since 1970, by the server's clock. */
  readAt: number;
  /** The newest activity entry that the page shows. Null: it shows none. */
  newestActivityId: number | null;
}) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [search] = useSearchParams();
  // Valid only for this copy of the issue.
  const [known, setKnown] = useState<{ of: Issue; state: IssueState | "gone" } | null>(null);
  // The form that is being sent may delete the issue. Then the page is left anyway. Otherwise the issue is read again, which asks again.
  const isSending = useNavigation().formData !== undefined;
  const askAgain = useAsk({ issue, newestActivityId, isSending }, (state) => setKnown({ of: issue, state }));
  const hasAsked = useRef(false);
  const ask = useCallback(() => {
    hasAsked.current = true;
    askAgain();
  }, [askAgain]);
  useLive((event) => {
    // Messages that were published before the feed was open reach no page.
    const isMissed = event.kind === "opened" && hasNewsSince(readAt);
    if (event.kind === "gap" || event.kind === "resumed" || isMissed) ask();
    if (
      (event.kind === "issues" || event.kind === "activity") &&
      event.changes.some(({ issueId }) => issueId === issue.id)
    )
      ask();
  });
  // A hidden page may have missed messages.
  useEffect(() => {
    window.addEventListener("focus", ask);
    return () => window.removeEventListener("focus", ask);
  }, [ask]);
  // A load that was under way when the messages came may lack the changes. The last answer, if any, was about the load before.
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
    // Loading another event does not reload the header, so it is reloaded separately.
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

/** Returns a function that asks for the state of the issue: at once at first, then no more often than allowed. */
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
    // If this fails, the next message asks again.
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
