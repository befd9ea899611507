import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { useNow } from "../../ui/clock.tsx";
import { formatAge } from "../../ui/format-age.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { UndeliveredItem } from "./get-delivery-page.server.ts";

/** Messages that failed several times and are still tried, or that were given up. If there are none, nothing is shown. */
export function UndeliveredList({
  title,
  description,
  items,
  count,
}: {
  title: string;
  description: string;
  items: readonly UndeliveredItem[];
  count: number;
}) {
  if (items.length === 0) return null;
  const areDead = items[0]?.diedAt !== null;
  const rest = count - items.length;
  return (
    <Panel
      title={title}
      description={rest > 0 ? `${description} ${rest.toLocaleString("en")} more are not listed.` : description}
      isFlush
      actions={
        <div className="flex gap-2">
          {areDead && (
            <>
              <ButtonForm name="intent" value="retry-all" size="sm">
                Send all again
              </ButtonForm>
              <ButtonForm name="intent" value="drop-all" size="sm" variant="quiet">
                Drop all
              </ButtonForm>
            </>
          )}
        </div>
      }
    >
      <ul aria-label={title} className="divide-y divide-line">
        {items.map((item) => (
          <li key={item.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <p className="wrap-anywhere">
                To <Receiver item={item} />
                {item.project !== null && <span className="text-muted"> about {item.project}</span>}
              </p>
              <p className="wrap-anywhere">
                <SaidNews item={item} />
              </p>
              <p className="wrap-anywhere text-error text-xs">
                <code>{item.failure}</code>
              </p>
              <p className="text-muted text-xs">
                <When item={item} />
              </p>
            </div>
            <div className="flex gap-2">
              <ButtonForm fields={{ letter: item.id }} name="intent" value="retry" size="sm">
                {areDead ? "Send again" : "Try now"}
              </ButtonForm>
              {areDead && (
                <ButtonForm fields={{ letter: item.id }} name="intent" value="drop" size="sm" variant="quiet">
                  Drop
                </ButtonForm>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Receiver({ item: { to, channelId } }: { item: UndeliveredItem }) {
  if (channelId === null) return <span className="font-semibold">{to}</span>;
  return (
    <TextLink to={`/settings/channels/${channelId}`} className="font-semibold">
      {to}
    </TextLink>
  );
}

function SaidNews({ item: { title, issueId, newsCount } }: { item: UndeliveredItem }) {
  const more = newsCount > 1 ? `, and ${(newsCount - 1).toLocaleString("en")} more` : "";
  if (title !== null && issueId === null) return <>{title}</>;
  if (title === null || issueId === null) return <span className="text-muted">An issue that is gone{more}</span>;
  return (
    <>
      <TextLink to={`/issues/${issueId}`}>{title}</TextLink>
      {more}
    </>
  );
}

function When({ item: { attempts, createdAt, diedAt, nextAttemptAt } }: { item: UndeliveredItem }) {
  const now = useNow();
  const tries = attempts === 1 ? "one try" : `${attempts} tries`;
  if (diedAt !== null) {
    return (
      <>
        Given up <RelativeTime at={diedAt} /> after {tries}
      </>
    );
  }
  const inMs = nextAttemptAt - now;
  return (
    <>
      Waits since <RelativeTime at={createdAt} />, {tries}; the next one is{" "}
      {inMs < 60_000 ? "within a minute" : `in ${formatAge(inMs)}`}
    </>
  );
}
