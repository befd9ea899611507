import { Plus } from "lucide-react";
import { workspaceContext } from "../../context.ts";
import { CronList } from "../../features/crons/cron-list.tsx";
import { STATE_WORDS } from "../../features/crons/cron-words.ts";
import { type CronsPage, getCronsPage } from "../../features/crons/get-crons-page.server.ts";
import { useMay } from "../../features/frame/use-may.tsx";
import { readPageNumber } from "../../features/input/list-page.ts";
import { MonitorFilter } from "../../features/monitors/monitor-filter.tsx";
import { MonitorTabs } from "../../features/monitors/monitor-tabs.tsx";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberedPages } from "../../ui/numbered-pages.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { searchParams } = url;
  const text = (searchParams.get("q") ?? "").trim().slice(0, 128);
  const project = searchParams.get("project") || null;
  const page = readPageNumber(searchParams);
  const crons = await getCronsPage(context.get(workspaceContext), { text, project, page, now: Date.now() });
  return { crons, text, project, isDeleted: searchParams.has("deleted") };
}

export default function CronsPageView({ loaderData }: Route.ComponentProps) {
  const { crons, text, project, isDeleted } = loaderData;
  const mayChange = useMay("project:write");
  const down = crons.downtimes.at(-1);
  const isNarrowed = text !== "" || project !== null;
  const newButton = mayChange && (
    <LinkButton to="/crons/new" variant="primary" icon={<Plus aria-hidden="true" />}>
      New monitor
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Monitors" description={crons.total > 0 ? saySummary(crons) : undefined} actions={newButton} />
      <div className="pb-4">
        <MonitorTabs current="/crons" count={crons.total} />
      </div>
      {isDeleted && (
        <Notice tone="done" className="mb-3" title="The monitor is deleted. The next check-in makes it again." />
      )}
      {down && crons.total > 0 && (
        <Notice className="mb-3">
          <strong>
            Culprit was down from <AbsoluteTime at={down.from} /> to <AbsoluteTime at={down.to} />
            {sayEarlier(crons.downtimes.length - 1)}.
          </strong>{" "}
          Check-ins that were due then are unknown, never missed. Nobody was told.
        </Notice>
      )}
      {crons.leftOut.map(({ project, checkInCount, lastSlug, lastAt }) => (
        <Notice key={project} tone="warning" className="mb-3">
          <strong>
            {checkInCount === 1 ? "1 check-in" : `${checkInCount.toLocaleString("en")} check-ins`} to {project} found no
            room.
          </strong>{" "}
          The last came <RelativeTime at={lastAt} /> and names <code className="wrap-anywhere">{lastSlug}</code>. A
          project has at most 1,000 monitors, and a monitor 100 environments.
        </Notice>
      ))}
      {(crons.total > 0 || isNarrowed) && (
        <div className="pb-4">
          <MonitorFilter
            action="/crons"
            label="Search monitors"
            placeholder="Part of a name or slug"
            text={text}
            chosen={project ?? ""}
            projects={crons.projects}
          />
        </div>
      )}
      {crons.rows.length === 0 ? (
        <Card>
          <EmptyState
            title={isNarrowed ? "No monitor matches" : "No monitor yet"}
            actions={isNarrowed ? <LinkButton to="/crons">Show all</LinkButton> : newButton}
          >
            {isNarrowed
              ? "Try another word or project."
              : "A monitor watches a job that runs by a schedule. Make one here, or let the first check-in of an SDK, of sentry-cli or of curl make it."}
          </EmptyState>
        </Card>
      ) : (
        <>
          <CronList page={crons} hasProjects={crons.projects.length > 1 && project === null} />
          <NumberedPages {...crons} />
        </>
      )}
    </>
  );
}

function sayEarlier(times: number): string {
  if (times < 1) return "";
  return `, and ${times === 1 ? "once" : `${times} times`} before within 24 hours`;
}

/** The states of the monitors in words: “2 missed, 5 fine, 1 paused”. */
function saySummary({ byState }: CronsPage): string {
  return Object.entries(STATE_WORDS)
    .flatMap(([state, { label }]) => {
      const count = byState[state as keyof typeof byState] ?? 0;
      return count > 0 ? [`${count.toLocaleString("en")} ${label.toLowerCase()}`] : [];
    })
    .join(", ");
}

export function meta() {
  return [{ title: "Monitors · Culprit" }];
}

export const handle = { section: "crons" };
