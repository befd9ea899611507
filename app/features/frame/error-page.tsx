import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { isConnectionFault } from "../../navigation/connection-fault.ts";
import { isServerThere } from "../../navigation/is-server-there.ts";
import { reloadPage } from "../../navigation/stale-build.ts";
import { buttonClassNames } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { ErrorFeedback } from "./error-feedback.tsx";
import { toRefusedPage } from "./refused-page.ts";
import { isInSection, SECTIONS } from "./sections.tsx";

const ISSUES = { to: "/issues", label: "Issues" };

/** Replaces a page that cannot be shown: not found, not allowed, or Culprit itself broke. */
export function ErrorPage({
  error,
  eventId,
}: {
  error: unknown;
  /** The id of the event that reports the error; null when none was sent. */
  eventId: string | null;
}) {
  const { pathname } = useLocation();
  if (isConnectionFault(error)) return <NoConnection />;
  if (isRouteErrorResponse(error) && (error.status < 500 || EXPECTED.has(error.status))) {
    const { title, text } = ANSWERS[error.status] ?? { title: "This cannot be shown", text: "The server refused it." };
    // Most addresses that are wrong name one thing of a list: the list leads on.
    const { to, label } = SECTIONS.find((each) => isInSection(each, pathname) && each.to !== pathname) ?? ISSUES;
    const said = toRefusedPage(error)?.message ?? (typeof error.data === "string" && error.data ? error.data : text);
    return (
      <ErrorPanel
        code={String(error.status)}
        title={title}
        actions={
          // 429, 503 and 507 are refusals for now.
          error.status > 428 ? (
            <LoadAgain />
          ) : (
            <a href={to} className={buttonClassNames("primary")}>
              To {label}
            </a>
          )
        }
      >
        <p>{said}</p>
        {error.status === 404 && (
          <p className="error-address">
            <mark>{pathname}</mark>
          </p>
        )}
      </ErrorPanel>
    );
  }
  return (
    <ErrorPanel
      code={isRouteErrorResponse(error) ? String(error.status) : "broken"}
      title="This page broke"
      footer={<ErrorFeedback eventId={eventId} page={pathname} />}
      actions={
        <>
          <LoadAgain />
          <a href={ISSUES.to} className={buttonClassNames("secondary")}>
            To {ISSUES.label}
          </a>
        </>
      }
    >
      <p>The fault is in Culprit, not in your application. No event is lost. It often helps to load the page again.</p>
      {eventId && (
        <p className="flex flex-wrap items-center gap-2">
          The fault was reported as <code className="text-ink">{eventId.slice(0, 8)}</code>
          <CopyButton text={eventId} label="Copy the id" />
        </p>
      )}
      {import.meta.env.DEV && error instanceof Error && (
        <pre className="overflow-x-auto rounded-md bg-sunken p-3 text-ink text-xs">{error.stack}</pre>
      )}
    </ErrorPanel>
  );
}

/** How often the page asks whether the server is back. Milliseconds. */
const ASK_AGAIN_MS = 2_000;

function LoadAgain() {
  const { pathname, search } = useLocation();
  return (
    <a href={pathname + search} className={buttonClassNames("primary")}>
      Load it again
    </a>
  );
}

/** The server did not answer, which seldom lasts long. The page reloads as soon as the server does. */
function NoConnection() {
  useEffect(() => {
    const timer = setInterval(async () => {
      if (!(await isServerThere())) return;
      // Another reload would interrupt a page that takes long to load.
      clearInterval(timer);
      reloadPage();
    }, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <ErrorPanel code="offline" title="The server does not answer" actions={<LoadAgain />}>
      <p>It may be restarting, or the network is down. This page loads by itself as soon as the server answers.</p>
    </ErrorPanel>
  );
}

/** Statuses above 499 that are no faults of Culprit: `answer-expected-faults.server.ts` sends them. */
const EXPECTED: ReadonlySet<number> = new Set([503, 507]);

const ANSWERS: Record<number, { title: string; text: string }> = {
  400: { title: "This was not understood", text: "Something in the address or the form is wrong." },
  401: { title: "Sign in first", text: "This page is for people who are signed in." },
  403: { title: "Not allowed", text: "Your account may not see this." },
  404: { title: "Nothing here", text: "There is no page at this address, or it is gone." },
  405: { title: "Not possible here", text: "This address does not accept this request." },
  429: { title: "Too many at once", text: "Try again in a while." },
  503: { title: "This takes too much", text: "The server gave up on it. Other pages work." },
  507: { title: "The disk takes no change", text: "Nothing was changed." },
};
