import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type FeedbackFilters, toFeedbackPath } from "./feedback-filters.ts";
import type { FeedbackInbox } from "./get-feedback-page.server.ts";

/** Why the list is empty, and what to do about it. */
export function FeedbackEmpty({ inbox, filters }: { inbox: FeedbackInbox; filters: FeedbackFilters }) {
  const { counts, nextBefore } = inbox;
  const isNarrowed = filters.search !== "" || filters.environments.length > 0 || filters.before !== null;
  if (nextBefore !== null)
    return (
      <EmptyState title="Nothing found so far">There is much feedback. “Next” looks through older messages.</EmptyState>
    );
  if (isNarrowed)
    return (
      <EmptyState
        title="No message matches"
        actions={
          <LinkButton to={toFeedbackPath(filters, { search: "", environments: [], before: null })}>
            Show all messages
          </LinkButton>
        }
      >
        Try fewer words, or another tab.
      </EmptyState>
    );
  const total = counts.unresolved.total + counts.resolved.total + counts.spam.total;
  if (total > 0)
    return (
      <EmptyState title={filters.tab === "unresolved" ? "Everything is dealt with" : "Nothing is here"}>
        {filters.tab === "unresolved"
          ? "New messages appear here."
          : filters.tab === "spam"
            ? "Messages that look like spam go here instead of the inbox, with the reason. Nothing is deleted."
            : "Messages that you resolve go here."}
      </EmptyState>
    );
  return (
    <EmptyState title="Nobody has written yet">
      <p className="pb-2">
        The Sentry SDKs can ask your users what happened. What they write appears here, with the page, the browser, the
        screenshot and the error that they saw.
      </p>
      <pre className="whitespace-pre-wrap wrap-anywhere rounded-md bg-sunken p-3 text-left font-mono text-ink text-xs">
        {`Sentry.init({
  dsn: "…",
  integrations: [Sentry.feedbackIntegration()],
});`}
      </pre>
      <p className="pt-2">
        Without the widget: <code className="wrap-anywhere font-mono">Sentry.captureFeedback({"{ message }"})</code>, in
        browsers and on servers.
      </p>
    </EmptyState>
  );
}
