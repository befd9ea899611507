import { Bell, BellOff, Bookmark } from "lucide-react";
import { useFetcher } from "react-router";
import { SUBSCRIPTION_WORDS } from "../../domain/issues/comment.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AssigneeMark } from "./assignee-name.tsx";
import type { IssuePage } from "./get-issue-page.server.ts";
import { SnoozeOptions } from "./snooze-options.tsx";

const MAX_SHOWN = 6;

/** The reader's bookmark and subscription, and who else has looked at the issue. */
export function IssuePeople({ issueId, reading }: { issueId: number; reading: IssuePage["reading"] }) {
  const fetcher = useFetcher();
  const { subscription, isBookmarked, seenBy, snoozedUntil } = reading;
  const path = `/issues/${issueId}/mine`;
  const names = seenBy.map(({ name }) => name);
  return (
    <section aria-label="People" className="grid gap-2 text-sm">
      <div className="flex flex-wrap gap-2">
        <ButtonForm
          form={fetcher.Form}
          action={path}
          fields={{ intent: subscription === null ? "subscribe" : "unsubscribe" }}
          size="sm"
          icon={subscription === null ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}
          data-shortcut="s"
        >
          {subscription === null ? "Subscribe" : "Unsubscribe"}
        </ButtonForm>
        <ButtonForm
          form={fetcher.Form}
          action={path}
          fields={{ intent: isBookmarked ? "unbookmark" : "bookmark" }}
          size="sm"
          icon={<Bookmark aria-hidden="true" fill={isBookmarked ? "currentColor" : "none"} />}
          data-shortcut="b"
        >
          {isBookmarked ? "Remove bookmark" : "Bookmark"}
        </ButtonForm>
        {snoozedUntil === null && <SnoozeOptions issueId={issueId} />}
      </div>
      {snoozedUntil !== null && (
        <p>
          You have snoozed it until <AbsoluteTime at={snoozedUntil} />.
        </p>
      )}
      <p className="text-muted text-xs">
        {subscription === null
          ? "Subscribers get mail about comments."
          : `${SUBSCRIPTION_WORDS[subscription]} You get mail about comments.`}{" "}
        <TextLink to={`/alerts/why?issue=${issueId}`}>What alert rules told</TextLink>
      </p>
      {seenBy.length > 0 && (
        <p className="flex flex-wrap items-center gap-1 text-muted text-xs">
          <span>Seen by</span>
          {seenBy.slice(0, MAX_SHOWN).map(({ id, name }) => (
            <AssigneeMark key={id} assignee={{ kind: "user", id, name }} />
          ))}
          <bdi>
            {names.slice(0, MAX_SHOWN).join(", ")}
            {names.length > MAX_SHOWN && ` and ${names.length - MAX_SHOWN} more`}
          </bdi>
        </p>
      )}
    </section>
  );
}
