import { Badge } from "../../ui/badge.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { OwnSession } from "./list-own-sessions.server.ts";

/** The sessions of the viewer, each with a button that ends it. */
export function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  return (
    <Panel
      title="Signed in on"
      isFlush
      actions={
        sessions.some(({ isThis }) => !isThis) && (
          <ButtonForm name="intent" value="end-other-sessions" size="sm">
            Sign out everywhere else
          </ButtonForm>
        )
      }
    >
      <ul className="divide-y divide-line">
        {sessions.map(({ id, browser, signedInAt, usedAt, isThis }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <div className="mr-auto grid gap-0.5">
              <p className="wrap-anywhere flex flex-wrap items-center gap-2 text-sm">
                {browser} {isThis && <Badge>This browser</Badge>}
              </p>
              <p className="text-muted text-xs">
                Signed in <RelativeTime at={signedInAt} />
                {/* The time of use is stored only now and then, so it would be too old for this session. */}
                {!isThis && (
                  <>
                    , last used <RelativeTime at={usedAt} />
                  </>
                )}
              </p>
            </div>
            {!isThis && (
              <ButtonForm
                fields={{ session: id }}
                name="intent"
                value="end-session"
                size="sm"
                aria-label={`End the session on ${browser}`}
              >
                End
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
