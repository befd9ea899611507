import { useEffect, useState } from "react";
import { data, redirect, replace, useNavigate } from "react-router";
import type { Workspace } from "../../access/workspace.ts";
import { workspaceContext } from "../../context.ts";
import { narrowScope } from "../../domain/scope.ts";
import { readAttachmentsPage } from "../../features/events/attachment-list.tsx";
import { toEventId } from "../../features/events/event-id.ts";
import { FilesOfId, toFilesTitle } from "../../features/events/files-of-id.tsx";
import { findSentUnder } from "../../features/events/find-sent-under.server.ts";
import { useLive } from "../../features/live/use-live.ts";
import { getProfile } from "../../features/profiles/get-profile.server.ts";
import { readProfileOptions } from "../../features/profiles/profile-options.ts";
import { ProfilePage } from "../../features/profiles/profile-page.tsx";
import { toProfileTitle } from "../../features/profiles/profile-title.ts";
import { withoutZoom } from "../../features/profiles/profile-zoom.ts";
import { keepWhileSame } from "../../navigation/keep-while-same.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/detail.ts";

/** How often a waiting page asks again. Milliseconds. */
const LOOK_AGAIN_MS = 500;

/**
 * Leads from the id that an SDK has given to the event, also in the moment before the event is stored. It also leads to other things with
 * an id.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const eventId = toEventId(params.eventId);
  if (eventId === null) throw data("An event id has 32 hexadecimal digits.", { status: 404 });
  // The waiting page does not stay in the history.
  const lead = url.searchParams.has("again") ? replace : redirect;
  const isPending = workspace.isPending(eventId);
  const row = await workspace.events.getEvent(eventId, workspace.scope.projectIds);
  if (row) {
    askAhead(workspace, row);
    throw lead(`/issues/${row.issueId}/events/${row.eventId}`);
  }
  if (!isPending && !workspace.isPending(eventId)) {
    // The event may have been stored between the two questions.
    const late = await workspace.events.getEvent(eventId, workspace.scope.projectIds);
    if (late) throw lead(`/issues/${late.issueId}/events/${late.eventId}`);
    const sent = await findSentUnder(workspace, eventId, readAttachmentsPage(url.searchParams));
    if (sent !== null && "path" in sent) throw lead(sent.path);
    if (sent !== null) {
      const profile = await getProfile(workspace, {
        id: eventId,
        rows: sent.files.attachments,
        options: readProfileOptions(url.searchParams),
      });
      return { eventId, ...sent, profile };
    }
    throw data("No event with this id is stored, and none waits to be. It may have been refused: see “What arrived”.", {
      status: 404,
    });
  }
  const isAccepted = workspace.hasAccepted(eventId);
  return data({ eventId, isAccepted, backlog: workspace.backlog().records }, { status: 202 });
}

/** Reads the neighbours of the event while the browser goes to the event page, which needs them. */
function askAhead(
  { scope, events }: Workspace,
  { projectId, issueId, eventId }: { projectId: number; issueId: number; eventId: string },
): void {
  const filter = { projectIds: narrowScope(scope, [projectId]).projectIds, issueId, from: null, to: null };
  // A failure does not matter here: the page reads again, and says what is wrong.
  events.findNeighbours(filter, eventId).catch(() => undefined);
}

export const shouldRevalidate = keepWhileSame(withoutZoom);

export default function EventByIdPage({ loaderData }: Route.ComponentProps) {
  if (!("files" in loaderData)) return <PendingEvent {...loaderData} />;
  const { profile, ...files } = loaderData;
  return profile === null ? <FilesOfId {...files} /> : <ProfilePage profile={profile} files={files.files} />;
}

interface Pending {
  eventId: string;
  isAccepted: boolean;
  backlog: number;
}

function PendingEvent({ eventId, isAccepted, backlog: firstBacklog }: Pending) {
  const navigate = useNavigate();
  const [backlog, setBacklog] = useState(firstBacklog);
  useLive((event) => {
    if (event.kind === "backlog") setBacklog(event.records);
  });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      // This does not use the router. If the server does not answer now, it is asked again, and the page stays.
      const answer = await fetch(`/events/${eventId}`, { method: "HEAD", redirect: "manual", signal }).catch(
        () => null,
      );
      if (signal.aborted) return;
      const isOver = answer?.type === "opaqueredirect" || answer?.status === 404;
      if (isOver) void navigate(`/events/${eventId}?again`, { replace: true });
      else timer = setTimeout(look, LOOK_AGAIN_MS);
    };
    timer = setTimeout(look, LOOK_AGAIN_MS);
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [navigate, eventId]);
  return (
    <div className="max-w-form">
      <PageHeader title={toTitle(isAccepted)} />
      <Card className="grid gap-3 p-5">
        <p className="flex items-center gap-3">
          <span className="waiting-dot" aria-hidden="true" />
          <span>
            {isAccepted ? "" : "The server has started, and what it received before is still being processed. "}
            Event <code className="break-all">{eventId}</code>{" "}
            {isAccepted ? "is on disk. Its" : "may be part of that. If it is, its"} page opens here by itself.
          </span>
        </p>
        {backlog > 1 && <p className="text-muted text-sm">{backlog.toLocaleString("en")} envelopes are waiting.</p>}
        <noscript>
          <LinkButton to={`/events/${eventId}`} reloadDocument>
            Look again
          </LinkButton>
        </noscript>
      </Card>
    </div>
  );
}

function toTitle(isAccepted: boolean): string {
  return isAccepted ? "Received, being processed" : "Not found yet";
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${toTabTitle(loaderData)} · Culprit` }];
}

function toTabTitle(loaderData: Route.MetaArgs["loaderData"]): string {
  if (!loaderData || !("files" in loaderData)) return toTitle(loaderData?.isAccepted ?? false);
  return loaderData.profile === null ? toFilesTitle(loaderData.eventId) : toProfileTitle(loaderData.profile);
}

export const handle = { section: "issues" };
