import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toActivitySentence } from "./activity-sentence.ts";
import type { FixingCommit, IssuePage } from "./get-issue-page.server.ts";
import { CommentText, NewComment } from "./issue-discussion.tsx";
import { IssueLinks } from "./issue-links.tsx";
import { IssuePeople } from "./issue-people.tsx";
import { SHORT_COMMIT_LENGTH } from "./resolution-words.ts";

/** Comments, and what people and Culprit have done with the issue. */
export function IssueSidebar({
  page: { issue, activity, assignees, reading, links },
}: {
  page: Pick<IssuePage, "issue" | "activity" | "assignees" | "reading" | "links">;
}) {
  return (
    <section aria-labelledby="issue-activity" className="grid gap-2.5">
      <h2 id="issue-activity" className="text-sm">
        Activity
      </h2>
      <IssuePeople issueId={issue.id} reading={reading} />
      <IssueLinks issueId={issue.id} links={links} />
      <NewComment issueId={issue.id} people={assignees} />
      <ol className="grid gap-2.5 text-sm">
        {activity.map((entry) => (
          <li key={entry.id} className="grid gap-0.5 border-line border-l-2 pl-3">
            <span className="wrap-anywhere">
              {toActivitySentence(entry)}
              {entry.commit && <CommitLink commit={entry.commit} />}
            </span>
            <RelativeTime at={entry.at} className="text-faint text-xs" />
            {entry.kind === "commented" && <CommentText entry={entry} people={assignees} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function CommitLink({ commit: { id, url } }: { commit: FixingCommit }) {
  const short = <code title={id}>{id.slice(0, SHORT_COMMIT_LENGTH)}</code>;
  return (
    <>
      {" "}
      {url.startsWith("/") ? (
        <TextLink to={url}>{short}</TextLink>
      ) : (
        <a href={url} rel="noreferrer" className="text-link">
          {short}
        </a>
      )}
    </>
  );
}
