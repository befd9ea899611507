import { User } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { SentryEvent } from "../../domain/event.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { EventPage } from "./get-event-page.server.ts";
import { toUserWords } from "./user-words.ts";

/** Milliseconds. An event that took longer to arrive (offline, a queue, a wrong clock) also shows when it was received. */
const LATE_MS = 60_000;

/** User, browser, system and place of the event in one line. Absent if nothing is known. */
export function EventFacts({
  event,
  row: { occurredAt, receivedAt },
}: {
  event: SentryEvent;
  row: Pick<EventPage["row"], "occurredAt" | "receivedAt">;
}) {
  const { user, contexts, environment, release, request } = event;
  const name = toUserWords(user);
  const client = [contexts?.browser ?? contexts?.runtime ?? contexts?.device, contexts?.os].map(nameOf);
  const trace = contexts?.trace?.trace_id;
  const facts: Array<[key: string, value: ReactNode]> = [
    [
      "User",
      name !== null && (
        <>
          <User aria-hidden="true" />
          <bdi>{name}</bdi>
        </>
      ),
    ],
    ["Client", client.filter(Boolean).join(" · ")],
    ["Environment", environment],
    ["Release", release],
    ["Page or request", toPath(request?.url) ?? event.transaction],
    [
      "Trace",
      typeof trace === "string" && /^[0-9a-f]{32}$/i.test(trace) && (
        <Link to={`/traces/${trace.toLowerCase()}`} prefetch="intent" className="underline">
          trace {trace.slice(0, 8)}
        </Link>
      ),
    ],
    [
      "Received",
      Math.abs(receivedAt - occurredAt) >= LATE_MS && (
        <span>
          received <RelativeTime at={receivedAt} />
        </span>
      ),
    ],
  ];
  const known = facts.filter(([, value]) => Boolean(value));
  if (known.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <ul className="event-facts" aria-label="Facts of this event" tabIndex={0}>
      {known.map(([key, value]) => (
        <li key={key} title={key}>
          {value}
        </li>
      ))}
    </ul>
  );
}

function nameOf(context: Record<string, unknown> | undefined): string {
  const { name, version } = context ?? {};
  if (typeof name !== "string") return "";
  return typeof version === "string" ? `${name} ${/^[^.]*(?:\.\d+)?/.exec(version)?.[0] ?? version}` : name;
}

/** The path of a URL, without the origin, which is the same for all pages of an application, and without the query, which may be long. */
function toPath(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const path = URL.canParse(url) ? new URL(url).pathname : url.split("?", 1)[0];
  return path || undefined;
}
