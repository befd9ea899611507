import { LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { nameSender } from "./feedback-words.ts";
import type { FeedbackLine } from "./list-feedback-about.server.ts";

/** What one person wrote about an event, on the event's page. */
export function FeedbackNotice({ said }: { said: FeedbackLine }) {
  return (
    <Notice
      tone="info"
      title={`${nameSender(said)} wrote about this`}
      actions={
        <LinkButton to={`/feedback/${said.id}`} size="sm">
          Open
        </LinkButton>
      }
    >
      <p className="wrap-anywhere whitespace-pre-line">
        <bdi>{said.message}</bdi>
      </p>
      <p className="text-muted text-xs">
        {said.email} <RelativeTime at={said.receivedAt} />
      </p>
    </Notice>
  );
}
