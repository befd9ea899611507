import { Form, redirect, useSubmit } from "react-router";
import { workspaceContext } from "../../context.ts";
import { PeriodSelect } from "../../features/arrived/period-select.tsx";
import { getSpike } from "../../features/limits/get-spike.server.ts";
import { SpikeNotice } from "../../features/limits/spike-notice.tsx";
import { getProjectOverview } from "../../features/projects/get-project-overview.server.ts";
import { parseOverviewFilters } from "../../features/projects/overview-filters.ts";
import { toPlatform } from "../../features/projects/platforms.ts";
import { ProjectOverviewParts } from "../../features/projects/project-overview.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { listActiveSilences } from "../../features/silences/list-silences.server.ts";
import { SilenceNotices } from "../../features/silences/silence-notice.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { Route } from "./+types/overview.ts";
import { requireProject } from "./require-project.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  // There is nothing to see yet, but something to set up.
  if (project.firstEventAt === null) throw redirect(`/projects/${project.slug}/set-up${url.search}`);
  const filters = parseOverviewFilters(url.searchParams);
  const now = Date.now();
  const [overview, spike, silences] = await Promise.all([
    getProjectOverview(workspace, { project, filters, now }),
    getSpike(workspace, project.id, now),
    listActiveSilences(workspace, { projectId: project.id }, now),
  ]);
  return { project, filters, overview, spike, silences };
}

export default function ProjectOverviewPage({ loaderData }: Route.ComponentProps) {
  const { project, filters, overview, spike, silences } = loaderData;
  const submit = useSubmit();
  return (
    <>
      <PageHeader
        title={project.name}
        trail={[{ label: "Projects", to: "/projects" }]}
        description={
          <>
            {toPlatform(project.platform).label}
            {overview.lastEventAt !== null && (
              <>
                {" · last event "}
                <RelativeTime at={overview.lastEventAt} />
              </>
            )}
          </>
        }
        actions={<LinkButton to={`/issues?project=${project.slug}`}>Issues</LinkButton>}
      />
      <ProjectTabs project={project} current="overview" />
      {silences.length > 0 && (
        <div className="grid gap-2 pt-3">
          <SilenceNotices silences={silences} />
        </div>
      )}
      {spike && (
        <div className="pt-3">
          <SpikeNotice slug={project.slug} spike={spike} />
        </div>
      )}
      <Form
        className="flex flex-wrap items-center gap-2 py-3"
        onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true })}
      >
        {filters.top !== "users" && <input type="hidden" name="top" value={filters.top} />}
        <Select name="environment" aria-label="Environment" defaultValue={filters.environment} className="w-auto!">
          <option value="">All environments</option>
          {toOptions([...new Set([...overview.environments, filters.environment])].filter(Boolean))}
        </Select>
        <PeriodSelect period={filters.period} />
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      </Form>
      <ProjectOverviewParts slug={project.slug} overview={overview} filters={filters} />
    </>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.project.name ?? "Project"} · Culprit` }];
}

export const handle = { section: "projects" };
