import { Link } from "react-router";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { ProjectSummary } from "./list-projects.server.ts";
import { toPlatform } from "./platforms.ts";
import { ProjectMark } from "./project-mark.tsx";

/** A card for each project: its facts, its last day, and links to its pages. */
export function ProjectCards({ summaries }: { summaries: readonly ProjectSummary[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-3">
      {summaries.map((summary) => (
        <li key={summary.project.id}>
          <ProjectCard summary={summary} />
        </li>
      ))}
    </ul>
  );
}

function ProjectCard({ summary: { project, isOwn, hourlyEvents, unresolvedCount } }: { summary: ProjectSummary }) {
  const mayChange = useMay("project:write");
  const eventCount = hourlyEvents.reduce((sum, count) => sum + count, 0);
  const events = `${eventCount.toLocaleString("en")} ${eventCount === 1 ? "event" : "events"}`;
  return (
    <Card className="grid h-full content-between gap-3 p-4">
      <div className="flex items-start gap-3">
        <ProjectMark platform={project.platform} className="size-8" />
        <div className="min-w-0">
          <h2 className="text-md">
            <Link to={`/projects/${project.slug}`} prefetch="intent" className="wrap-anywhere hover:underline">
              {project.name}
            </Link>
          </h2>
          <p className="wrap-anywhere text-muted text-xs">
            {project.slug} · {isOwn ? "what Culprit reports about itself" : toPlatform(project.platform).label}
          </p>
        </div>
      </div>
      <div className="grid gap-1">
        <Sparkline label={`${events} in the last 24 hours`} values={hourlyEvents} className="h-9 w-full text-muted" />
        <p className="tabular flex justify-between text-muted text-xs">
          <span>{events} in 24 hours</span>
          <span>
            {unresolvedCount >= 1000 ? "1,000+" : unresolvedCount} unresolved{" "}
            {unresolvedCount === 1 ? "issue" : "issues"}
          </span>
        </p>
      </div>
      <div className="flex gap-2">
        {project.firstEventAt === null && !isOwn ? (
          <LinkButton to={`/projects/${project.slug}/set-up`} size="sm">
            Connect an application
          </LinkButton>
        ) : (
          <LinkButton to={`/issues?project=${project.slug}`} size="sm">
            Issues
          </LinkButton>
        )}
        {mayChange && (
          <LinkButton to={`/projects/${project.slug}/settings`} size="sm" variant="quiet">
            Settings
          </LinkButton>
        )}
      </div>
    </Card>
  );
}
