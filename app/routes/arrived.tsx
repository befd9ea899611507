import { Form, useSubmit } from "react-router";
import { workspaceContext } from "../context.ts";
import { DATA_CATEGORIES } from "../domain/data-category.ts";
import { BUILT_IN_SLUG } from "../domain/project.ts";
import { ArrivedGraph } from "../features/arrived/arrived-graph.tsx";
import { toArrivedProjectPage } from "../features/arrived/arrived-project-page.ts";
import { ArrivedProjects, type ArrivedProjectsChange } from "../features/arrived/arrived-projects.tsx";
import { toArrivedPeriod, toArrivedRange } from "../features/arrived/arrived-range.ts";
import { ArrivedTable } from "../features/arrived/arrived-table.tsx";
import { ExpiredPanel } from "../features/arrived/expired-panel.tsx";
import { getArrived } from "../features/arrived/get-arrived.server.ts";
import { OutcomeTotals } from "../features/arrived/outcome-totals.tsx";
import { toCategoryWords } from "../features/arrived/outcome-words.ts";
import { PeriodSelect } from "../features/arrived/period-select.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Panel } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Select } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { toOptions } from "../ui/options.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import type { Route } from "./+types/arrived.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const now = Date.now();
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const project = projects.find(({ slug }) => slug === url.searchParams.get("project")) ?? null;
  const wanted = url.searchParams.get("category");
  const category = DATA_CATEGORIES.find((name) => name === wanted) ?? null;
  const period = toArrivedPeriod(url.searchParams.get("period")).value;
  const range = toArrivedRange(period, now);
  const summed = project ? [project] : projects.filter(({ slug }) => slug !== BUILT_IN_SLUG);
  const { projects: ofProjects, ...arrived } = await getArrived(workspace, {
    projectIds: summed.map(({ id }) => id),
    category,
    range,
  });
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return {
    arrived,
    byProject: project
      ? null
      : toArrivedProjectPage(ofProjects, (id) => names.get(id) ?? "", {
          page: url.searchParams.get("page"),
          sort: url.searchParams.get("sort"),
        }),
    period,
    category,
    project: project?.slug ?? "",
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    backlog: workspace.backlog().records,
  };
}

function toArrivedPath(fields: Record<string, string | null>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) params.set(name, value);
  return `/arrived?${params}`;
}

function toFields(change: ArrivedProjectsChange): Record<string, string | null> {
  if ("project" in change) return change;
  return { sort: change.sort === "items" ? null : change.sort, page: change.page > 1 ? String(change.page) : null };
}

/** A smaller backlog is stored before the notice is read, so it is not shown. */
const NOTABLE_BACKLOG = 50;

export default function ArrivedPage({ loaderData }: Route.ComponentProps) {
  const { arrived, byProject, period, category, project, projects, backlog } = loaderData;
  const submit = useSubmit();
  return (
    <>
      <PageHeader
        title="What arrived"
        description="Every item has exactly one outcome. This page counts them when they come, together with the items that SDKs report as never sent."
      />
      <Form
        className="flex flex-wrap items-center gap-2 pb-4"
        onChange={(event) => void submit(event.currentTarget, { preventScrollReset: true })}
      >
        <Select name="project" aria-label="Project" defaultValue={project} className="w-auto! max-w-full">
          <option value="">All projects</option>
          {toOptions(projects, ({ slug, name }) => [
            slug,
            slug === BUILT_IN_SLUG ? `${name} (this server’s own)` : name,
          ])}
        </Select>
        <Select name="category" aria-label="Kind" defaultValue={category ?? ""} className="w-auto!">
          <option value="">All kinds</option>
          {toOptions(DATA_CATEGORIES, (name) => [name, toCategoryWords(name)])}
        </Select>
        <PeriodSelect period={period} />
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      </Form>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {backlog >= NOTABLE_BACKLOG && (
          <Notice
            tone="info"
            title={`${backlog.toLocaleString("en")} accepted ${backlog === 1 ? "envelope is" : "envelopes are"} being processed`}
          >
            They are on disk, and appear below once they are stored.
          </Notice>
        )}
        {arrived.total === 0 ? (
          <Panel title="Nothing arrived">
            <EmptyState
              title="Nothing arrived in this time"
              actions={
                <>
                  <LinkButton to="/projects">Connect an application</LinkButton>
                  {period !== "90d" && (
                    <LinkButton to={toArrivedPath({ project, category, period: "90d" })} variant="quiet">
                      Look at 90 days
                    </LinkButton>
                  )}
                </>
              }
            >
              No request with a valid key came.
            </EmptyState>
          </Panel>
        ) : (
          <>
            <OutcomeTotals total={arrived.total} byOutcome={arrived.byOutcome} />
            <Panel title="Over time">
              <ArrivedGraph series={arrived.series} bucketMs={arrived.bucketMs} deploys={arrived.deploys} />
            </Panel>
            <Panel
              title="By kind and reason"
              description={
                project === ""
                  ? "Without what Culprit reports about itself, which is a project to choose above."
                  : undefined
              }
              isFlush
            >
              <ArrivedTable rows={arrived.rows} total={arrived.total} exampleSlug={project === "" ? null : project} />
            </Panel>
            {byProject !== null && (
              <Panel title="By project" isFlush>
                <ArrivedProjects
                  list={byProject}
                  names={projects}
                  toPath={(change) => toArrivedPath({ project, category, period, ...toFields(change) })}
                />
              </Panel>
            )}
          </>
        )}
        <ExpiredPanel expired={arrived.expired} projects={projects} />
      </div>
    </>
  );
}

export function meta() {
  return [{ title: "What arrived · Culprit" }];
}

export const handle = { section: "arrived" };
