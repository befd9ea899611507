import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { nameSender } from "./feedback-words.ts";
import type { FeedbackAboutIssue } from "./list-feedback-about.server.ts";

/** What people wrote about the issue. If nobody did, nothing is shown. */
export function FeedbackAbout({ about: { count, latest } }: { about: FeedbackAboutIssue }) {
  if (count === 0) return null;
  return (
    <section aria-label="Feedback" className="grid gap-2">
      <h2 className="text-sm">{count === 1 ? "1 person wrote about this" : `${count} people wrote about this`}</h2>
      <ul className="grid gap-2 text-sm">
        {latest.map((each) => (
          <li key={each.id} className="grid gap-0.5 border-mark-edge border-l-2 pl-3">
            <TextLink to={`/feedback/${each.id}`} className="wrap-anywhere">
              <bdi className="line-clamp-3">{each.message}</bdi>
            </TextLink>
            <span className="wrap-anywhere text-muted text-xs">
              <bdi>{nameSender(each)}</bdi>, <RelativeTime at={each.receivedAt} />
            </span>
          </li>
        ))}
      </ul>
      {count > latest.length && (
        <p className="text-muted text-xs">
          The newest {latest.length} of {count.toLocaleString("en")}.
        </p>
      )}
    </section>
  );
}
