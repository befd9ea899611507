import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { BarGraph } from "../../ui/bar-graph.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { Count } from "../../ui/count.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toArrivedPeriod } from "../arrived/arrived-range.ts";
import { OutcomeShares } from "../arrived/outcome-shares.tsx";
import { toIssueListPath } from "../issues/issue-filters.ts";
import { ReleaseName } from "../issues/resolved-notice.tsx";
import { HealthFigureList } from "../releases/health-figures.tsx";
import { HEALTH_STATES } from "../releases/health-words.ts";
import { toReleaseIssuesPath } from "../releases/release-paths.ts";
import { SpentPanel } from "../releases/spent-panel.tsx";
import { toDeployMarks } from "../releases/to-deploy-marks.ts";
import type { ProjectOverview } from "./get-project-overview.server.ts";
import { OverviewFigures } from "./overview-figures.tsx";
import { type OverviewFilters, TOP_ORDERS, toOverviewSearch } from "./overview-filters.ts";
import { TopIssues } from "./top-issues.tsx";

/** Everything below the header of a project's overview. */
export function ProjectOverviewParts({
  slug,
  overview,
  filters,
}: {
  slug: string;
  overview: ProjectOverview;
  filters: OverviewFilters;
}) {
  const { counts, graph, bucketMs, deploys, topIssues, releases, arrived, health, crashIssues } = overview;
  const { label } = toArrivedPeriod(filters.period);
  const issueListPath = toIssueListPath({
    projectSlugs: [slug],
    environments: filters.environment === "" ? [] : [filters.environment],
    range: filters.period === "1d" ? "24h" : filters.period,
    search: filters.top === "new" ? "is:new" : "is:unresolved",
    sort: filters.top === "new" ? "first_seen" : filters.top,
    trend: "14d",
    cursor: null,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <OverviewFigures overview={overview} period={label} />
      <Panel title="Events and users" actions={<GraphLegend />}>
        {counts.events === 0 && <p className="pb-2 text-muted text-sm">No error in {label}.</p>}
        <BarGraph
          label={`Events and users in ${label}`}
          unit="events"
          series={[{ label: "events", fillClassName: "fill-faint" }]}
          buckets={graph.map(({ at, events }) => ({ at, values: [events] }))}
          line={{ label: "users", strokeClassName: "stroke-info", values: graph.map(({ users }) => users) }}
          bucketMs={bucketMs}
          markers={toDeployMarks(deploys)}
          heightClassName="h-28"
        />
      </Panel>
      {(health.sessions.total > 0 || health.sessions.crashed > 0) && (
        <Panel
          title="Release health"
          actions={
            <Badge tone={HEALTH_STATES[health.health.state].tone}>{HEALTH_STATES[health.health.state].label}</Badge>
          }
        >
          <HealthFigureList figures={health} goal={health.goal} />
        </Panel>
      )}
      {health.sessions.crashed > 0 && <SpentPanel issues={crashIssues} of={`of the project in ${label}`} />}
      <div className="project-columns">
        <Panel
          title="Top issues"
          isFlush
          actions={
            <>
              <ChoiceLinks
                label="Order of the top issues"
                links={TOP_ORDERS.map(({ value, label: name }) => ({
                  to: toOverviewSearch(filters, { top: value }),
                  label: name,
                  isCurrent: value === filters.top,
                }))}
              />
              <LinkButton to={issueListPath} size="sm" variant="quiet">
                All issues
              </LinkButton>
            </>
          }
        >
          {topIssues.length > 0 ? (
            <TopIssues issues={topIssues} />
          ) : (
            <p className="p-4 text-muted text-sm">
              {filters.top === "new" ? "No new issue" : "No unresolved issue"} had an event in {label}.
            </p>
          )}
        </Panel>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <Panel
            title="Releases"
            isFlush
            actions={
              <LinkButton to={`/releases?project=${slug}`} size="sm" variant="quiet">
                All releases
              </LinkButton>
            }
          >
            {releases.length > 0 ? (
              <NewestReleases slug={slug} releases={releases} />
            ) : (
              <p className="p-4 text-muted text-sm">
                No event has named a release. <TextLink to={`/projects/${slug}/set-up`}>Set-up</TextLink> says how to.
              </p>
            )}
          </Panel>
          <Panel
            title="Errors that arrived"
            actions={
              <LinkButton to={`/arrived?project=${slug}&period=${filters.period}`} size="sm" variant="quiet">
                All that arrived
              </LinkButton>
            }
          >
            {arrived.total > 0 ? (
              <OutcomeShares total={arrived.total} byOutcome={arrived.byOutcome} />
            ) : (
              <p className="text-muted text-sm">No error arrived in {label}.</p>
            )}
          </Panel>
        </div>
      </div>
    </div>
  );
}

function GraphLegend() {
  return (
    <p aria-hidden="true" className="flex items-center gap-3 text-muted text-xs">
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-faint" /> events
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-0.5 w-3.5 bg-info" /> users
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-3 w-px bg-regressed" /> deploy
      </span>
    </p>
  );
}

function NewestReleases({ slug, releases }: { slug: string; releases: ProjectOverview["releases"] }) {
  return (
    <Table label="Newest releases">
      <TableHead>
        <Th>Release</Th>
        <Th>Created</Th>
        <Th isNumber>New issues</Th>
        <Th isNumber>Events</Th>
      </TableHead>
      <tbody>
        {releases.map((release) => (
          <tr key={release.id}>
            <Td className="max-w-40">
              <ReleaseName version={release.version} className="line-clamp-2" />
            </Td>
            <Td className="whitespace-nowrap text-muted">
              <RelativeTime at={release.createdAt} form="age" />
            </Td>
            <Td isNumber>
              {release.newIssueCount === 0 ? (
                <span className="text-faint">0</span>
              ) : (
                <Link to={toReleaseIssuesPath("first-release", release.version, [slug])} className="text-link">
                  <Count
                    value={release.newIssueCount}
                    unit={release.newIssueCount === 1 ? "new issue" : "new issues"}
                  />
                </Link>
              )}
            </Td>
            <Td isNumber>
              <Count value={release.eventCount} unit={release.eventCount === 1 ? "event" : "events"} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
