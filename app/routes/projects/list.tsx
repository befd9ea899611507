import { Plus } from "lucide-react";
import { Link } from "react-router";
import { workspaceContext } from "../../context.ts";
import { listProjectSummaries } from "../../features/projects/list-projects.server.ts";
import { toPlatform } from "../../features/projects/platforms.ts";
import { ProjectMark } from "../../features/projects/project-mark.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { summaries: await listProjectSummaries(context.get(workspaceContext), Date.now()) };
}

export default function ProjectsPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Projects"
        actions={
          <LinkButton to="/projects/new" variant="primary" icon={<Plus aria-hidden="true" />}>
            New project
          </LinkButton>
        }
      />
      {loaderData.summaries.length === 0 ? (
        <EmptyState
          title="No project yet"
          actions={
            <LinkButton to="/projects/new" variant="primary">
              New project
            </LinkButton>
          }
        >
          A project gives you a DSN: the address that an application’s SDK reports to.
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-3">
          {loaderData.summaries.map(({ project, isOwn, hourlyEvents, unresolvedCount }) => {
            const eventCount = hourlyEvents.reduce((sum, count) => sum + count, 0);
            return (
              <li key={project.id}>
                <Card className="grid h-full content-between gap-3 p-4">
                  <div className="flex items-start gap-3">
                    <ProjectMark platform={project.platform} className="size-8" />
                    <div className="min-w-0">
                      <h2 className="text-md">
                        <Link to={`/issues?project=${project.slug}`} prefetch="intent" className="hover:underline">
                          {project.name}
                        </Link>
                      </h2>
                      <p className="text-muted text-xs">
                        {project.slug} ·{" "}
                        {isOwn ? "what Culprit reports about itself" : toPlatform(project.platform).label}
                      </p>
                    </div>
                  </div>
                  <div className="grid gap-1">
                    <Sparkline
                      label={`${eventCount.toLocaleString("en")} ${eventCount === 1 ? "event" : "events"} in the last 24 hours`}
                      values={hourlyEvents}
                      className="h-9 w-full text-muted"
                    />
                    <p className="tabular flex justify-between text-muted text-xs">
                      <span>
                        {eventCount.toLocaleString("en")} {eventCount === 1 ? "event" : "events"} in 24 hours
                      </span>
                      <span>
                        {unresolvedCount >= 1000 ? "1,000+" : unresolvedCount} unresolved{" "}
                        {unresolvedCount === 1 ? "issue" : "issues"}
                      </span>
                    </p>
                  </div>
                  <div className="flex gap-2">
                    {!isOwn && (
                      <LinkButton to={`/projects/${project.slug}`} size="sm">
                        {project.firstEventAt === null ? "Connect an application" : "DSN and set-up"}
                      </LinkButton>
                    )}
                    <LinkButton to={`/projects/${project.slug}/settings`} size="sm" variant="quiet">
                      Settings
                    </LinkButton>
                  </div>
                </Card>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

export function meta() {
  return [{ title: "Projects · Culprit" }];
}

export const handle = { section: "projects" };
