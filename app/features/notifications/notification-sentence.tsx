import type { NotificationPage } from "./get-notification-page.server.ts";

/** Says in words what the settings below do. */
export function NotificationSentence({ page, projectName }: { page: NotificationPage; projectName: string }) {
  const receivers = listReceivers(page);
  const { transitions } = page;
  return (
    <p className="rounded-md border-mark-edge border-l-3 bg-mark/25 px-4 py-3 text-base">
      {receivers.length === 0 || transitions.length === 0 ? (
        <>Nobody is told of issues of {projectName}.</>
      ) : (
        <>
          When an issue of {projectName}{" "}
          <b>{transitions.map((transition) => (transition === "new" ? "is new" : "comes back")).join(" or ")}</b>,
          Culprit tells <b className="wrap-anywhere">{joinWords(receivers)}</b>, once.
        </>
      )}
    </p>
  );
}

function listReceivers({ emails, mailFrom, offered }: NotificationPage): string[] {
  const people = mailFrom === null ? [] : emails.length > 3 ? [`${emails.length} addresses`] : emails;
  return [...people, ...offered.flatMap(({ name, isChosen }) => (isChosen ? [name] : []))];
}

function joinWords(words: readonly string[]): string {
  return new Intl.ListFormat("en").format(words);
}
