import { MAX_NAMED_ISSUES } from "../../domain/notification.ts";
import { Panel } from "../../ui/card.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";

/** Rules for all channels, and the address in links of messages. */
export function NotificationRules({ page: { baseUrl, isBaseUrlConfigured } }: { page: NotificationPage }) {
  return (
    <Panel title="How messages are sent">
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        <li>
          A channel gets at most one message a minute. The next message has what happened meanwhile: {MAX_NAMED_ISSUES}{" "}
          issues by name, and the number of the others.
        </li>
        <li>
          A message that does not arrive is sent again after 30 seconds, then after growing pauses of up to six hours,
          ten times in all. After that, this page shows it under “Messages given up”.
        </li>
        <li>After a crash, a message may come twice. No message is lost.</li>
        <li>
          {baseUrl === null ? (
            <>
              Messages have no links yet: set <code>PUBLIC_URL</code> to where people reach this server.
            </>
          ) : (
            <>
              Links begin with <code className="wrap-anywhere">{baseUrl}</code>,{" "}
              {isBaseUrlConfigured ? (
                <>
                  from <code>PUBLIC_URL</code>.
                </>
              ) : (
                <>
                  where an owner or a manager signed in last. Set <code>PUBLIC_URL</code> to choose it.
                </>
              )}
            </>
          )}
        </li>
        <li>
          Messages wait in a queue; <TextLink to="/settings/jobs">Background jobs</TextLink> shows whether it moves.
        </li>
      </ul>
    </Panel>
  );
}
