import { Link } from "react-router";
import { useNow } from "../../ui/clock.tsx";
import { CronStateMark } from "./cron-state.tsx";
import { CronLegend, CronStrip } from "./cron-strip.tsx";
import { sayDistance, toCronPath } from "./cron-words.ts";
import type { CronRow, CronsPage } from "./get-crons-page.server.ts";

export function CronList({ page, hasProjects }: { page: CronsPage; hasProjects: boolean }) {
  return (
    <>
      <div className="cron-table">
        <div className="cron-axis" aria-hidden="true">
          <span>State</span>
          <span>Monitor</span>
          <ol>
            <li>24 h ago</li>
            <li>18 h</li>
            <li>12 h</li>
            <li>6 h</li>
            <li>now</li>
          </ol>
          <span>Next due</span>
        </div>
        <ul aria-label="Monitors">
          {page.rows.map((row) => (
            <li key={row.id} className="cron-row">
              <CronStateMark state={row.state} />
              <div className="cron-name">
                <Link to={toCronPath(row.project, row.slug)} prefetch="intent">
                  {row.name}
                </Link>
                <p title={row.schedule}>
                  {row.schedule}
                  {hasProjects && ` · ${row.project}`}
                </p>
              </div>
              <CronStrip name={row.name} ticks={row.ticks} downtimes={page.downtimes} now={page.now} />
              <NextDue row={row} />
            </li>
          ))}
        </ul>
      </div>
      <CronLegend />
    </>
  );
}

function NextDue({ row }: { row: CronRow }) {
  const now = useNow();
  const notes = [
    row.otherZone ? `another time zone? ${row.otherZone}` : "",
    row.isMuted ? "muted" : "",
    row.pausedIn.length > 0 ? `paused in ${row.pausedIn.join(", ")}` : "",
    row.environmentCount > 1 ? `${row.environmentCount} environments` : "",
    row.lastCheckInAt === null ? "no check-in yet" : `last ${sayDistance(Math.min(-1000, row.lastCheckInAt - now))}`,
  ].filter(Boolean);
  return (
    <div className="cron-next">
      <span className="tabular">
        {row.nextDueAt === null ? "—" : row.nextDueAt > now ? sayDistance(row.nextDueAt - now) : "due now"}
      </span>
      <p>{notes.join(" · ")}</p>
    </div>
  );
}
