import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { getFilteredExample } from "../../features/filters/get-filtered-example.server.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { Route } from "./+types/filtered-example.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  const example = await getFilteredExample(workspace, { id }, { reason: params.reason, now: Date.now() });
  const project = { slug, name, firstEventAt };
  return data({ project, example }, { status: example === null ? 404 : 200 });
}

/** An event that a filter took, as it would have been stored. */
export default function FilteredExamplePage({ loaderData }: Route.ComponentProps) {
  const { project, example } = loaderData;
  const trail = [...toProjectTrail(project), { label: "Filters", to: `/projects/${project.slug}/filters` }];
  const json = example === null ? "" : JSON.stringify(example.event, null, 2);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="A filtered event" trail={trail} />
      <ProjectTabs project={project} current="filters" />
      {example === null ? (
        <EmptyState title="There is no example">
          This filter took nothing in the last day, or its events were too large to keep one.
        </EmptyState>
      ) : (
        <Panel
          title={example.title}
          description={
            <>
              {example.isCounted ? "Left out by" : "Taken by the filter"} <strong>{example.filter}</strong>,{" "}
              <RelativeTime at={example.receivedAt} />. It is not stored,{" "}
              {example.isCounted ? "and its issue has counted it" : "and belongs to no issue"}. This copy is masked as
              stored events are, and goes after a day.
            </>
          }
          actions={<CopyButton text={json} label="Copy JSON" variant="quiet" />}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre className="overflow-x-auto text-xs" tabIndex={0}>
            {json}
          </pre>
        </Panel>
      )}
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `A filtered event of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
