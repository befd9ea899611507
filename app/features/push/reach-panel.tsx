import { useState } from "react";
import { Form, useSubmit } from "react-router";
import { PERSONAL_NEWS, type PersonalNews, WAYS, type Way } from "../../domain/push/push-subscription.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ChannelStateMark } from "../channels/channel-state.tsx";
import type { OwnReach } from "./get-own-reach.server.ts";
import { subscribeThisBrowser, type ThisBrowser, useThisBrowser } from "./this-browser.ts";

const NEWS: Record<PersonalNews, { label: string; hint: string }> = {
  rules: { label: "Alert rules", hint: "New issues, issues that come back, and what else a rule tells you" },
  feedback: { label: "Feedback", hint: "What users say to projects that you work on, without spam" },
  acts: { label: "What people do", hint: "Issues assigned to you, mentions, comments on issues you follow" },
};
const WAY_LABELS: Record<Way, string> = { mail: "Mail", browsers: "Browsers" };

/** Chooses how the viewer is told of what, and in which browsers. */
export function ReachPanel({
  view,
  error,
  timezoneError,
}: {
  view: OwnReach;
  error: string | null;
  timezoneError: string | null;
}) {
  const { browsers, publicKey, reach, timezone, sendsMail } = view;
  const known = useThisBrowser();
  const here = known.kind === "ready" ? known.endpoint : null;
  return (
    <Panel
      id="reach"
      title="How you are told"
      description="Mail, and notifications of the browsers that you choose, also while no page of Culprit is open."
    >
      <div className="grid gap-5">
        <ReachForm
          key={JSON.stringify(reach)}
          reach={reach}
          timezone={timezone}
          error={timezoneError}
          sendsMail={sendsMail}
        />
        <section aria-labelledby="own-browsers" className="grid gap-3">
          <h3 id="own-browsers" className="font-semibold text-sm">
            Your browsers
          </h3>
          {browsers.length === 0 ? (
            <p className="text-sm">You are told in no browser yet.</p>
          ) : (
            <ul className="grid divide-y divide-line">
              {browsers.map((browser) => (
                <BrowserItem key={browser.id} browser={browser} isThis={browser.endpoint === here} />
              ))}
            </ul>
          )}
          <AddThisBrowser
            browser={known}
            publicKey={publicKey}
            isTold={browsers.some(({ endpoint }) => endpoint === here)}
            error={error}
          />
          <p className="max-w-prose text-muted text-xs">
            A notification that was shown cannot be changed or taken back, and has no buttons. The browser must be
            running; until it does, its vendor’s push service keeps a message for a day. That service sees when
            something comes, and never what: messages are encrypted for your browser. On an iPhone or iPad, Culprit must
            be on the home screen. Notifications come also while you are signed out: remove a browser that others use.
          </p>
        </section>
      </div>
    </Panel>
  );
}

function ReachForm({
  reach,
  timezone,
  error,
  sendsMail,
}: Pick<OwnReach, "reach" | "timezone" | "sendsMail"> & { error: string | null }) {
  const isHydrated = useIsHydrated();
  const ownZone = isHydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  return (
    <Form method="post" className="grid gap-3">
      <table className="w-full max-w-form text-sm">
        <caption className="sr-only">What reaches you how</caption>
        <thead>
          <tr className="text-left">
            <td />
            {WAYS.map((way) => (
              <th key={way} scope="col" className="w-20 px-2 pb-1 text-center font-semibold text-xs">
                {WAY_LABELS[way]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PERSONAL_NEWS.map((news) => (
            <tr key={news} className="border-line border-t">
              <th scope="row" className="py-2 pr-2 text-left font-normal">
                {NEWS[news].label}
                <span className="block text-muted text-xs">{NEWS[news].hint}</span>
              </th>
              {WAYS.map((way) => (
                <td key={way} className="px-2 text-center">
                  <Checkbox
                    name="way"
                    value={`${news} ${way}`}
                    defaultChecked={reach[news][way]}
                    aria-label={`${NEWS[news].label}: ${WAY_LABELS[way]}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {sendsMail && (
        <CodeField
          key={timezone ?? ownZone}
          className="max-w-64"
          label="Time zone of your mails"
          name="mail-timezone"
          defaultValue={timezone ?? ownZone}
          error={error ?? undefined}
          hint="A name like Europe/Berlin. Until you save one, times are in UTC."
        />
      )}
      {!sendsMail && <p className="text-muted text-xs">This server sends no mail, whatever is ticked.</p>}
      <div>
        <Button type="submit" name="intent" value="reach">
          Change what reaches you
        </Button>
      </div>
    </Form>
  );
}

function BrowserItem({
  browser: { id, browser, createdAt, lastDeliveredAt, lastFailedAt, lastFailure },
  isThis,
}: {
  browser: OwnReach["browsers"][number];
  isThis: boolean;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0">
      <div className="mr-auto grid min-w-0 gap-0.5">
        <p className="wrap-anywhere flex flex-wrap items-center gap-2 text-sm">
          {browser} {isThis && <Badge>This browser</Badge>}
          <ChannelStateMark results={{ lastDeliveredAt, lastFailedAt }} />
        </p>
        <p className="text-muted text-xs">
          Added <RelativeTime at={createdAt} />
          {lastDeliveredAt !== null && (
            <>
              , last message <RelativeTime at={lastDeliveredAt} />
            </>
          )}
        </p>
        {lastFailedAt !== null && (
          <p className="wrap-anywhere text-xs">
            Last failure <RelativeTime at={lastFailedAt} />: <code>{lastFailure}</code>
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <ButtonForm
          fields={{ browser: id }}
          name="intent"
          value="push-test"
          size="sm"
          aria-label={`Send a test to ${browser}`}
        >
          Send a test
        </ButtonForm>
        <ButtonForm
          fields={{ browser: id }}
          name="intent"
          value="push-remove"
          size="sm"
          variant="quiet"
          aria-label={`Remove ${browser}`}
        >
          Remove
        </ButtonForm>
      </div>
    </li>
  );
}

const CANNOT = {
  insecure: "This page did not come by https: browsers allow notifications only to sites that do.",
  unsupported: "This browser cannot be told: it has no web push.",
  "not-installed":
    "On an iPhone or iPad, Culprit must be on the home screen: open this page in Safari, tap Share, then Add to Home Screen. Open Culprit from there, and come back here.",
  denied:
    "This browser does not allow Culprit to show notifications. Allow it in the browser’s settings, and load the page again.",
} as const;

function AddThisBrowser({
  browser,
  publicKey,
  isTold,
  error,
}: {
  browser: ThisBrowser;
  publicKey: string;
  isTold: boolean;
  error: string | null;
}) {
  const submit = useSubmit();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  if (browser.kind === "unknown")
    return (
      <noscript>
        <p className="text-muted text-sm">A browser is added by a script, which does not run here.</p>
      </noscript>
    );
  if (browser.kind !== "ready") return <p className="text-sm">{CANNOT[browser.kind]}</p>;
  const add = async () => {
    setAsking(true);
    setTrouble(null);
    const asked = await subscribeThisBrowser(publicKey);
    setAsking(false);
    if (asked.ok) void submit({ intent: "push-subscribe", subscription: asked.subscription }, { method: "post" });
    else setTrouble(asked.reason);
  };
  return (
    <div className="grid gap-2">
      {!isTold && (
        <div>
          <Button type="button" onClick={() => void add()} isPending={isAsking}>
            Tell me in this browser
          </Button>
        </div>
      )}
      <p role="status" className="text-error text-sm empty:hidden">
        {trouble ?? error ?? ""}
      </p>
    </div>
  );
}
