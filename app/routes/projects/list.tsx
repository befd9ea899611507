import { Plus } from "lucide-react";
import { Form, useSubmit } from "react-router";
import { workspaceContext } from "../../context.ts";
import { useMay } from "../../features/frame/use-may.tsx";
import { listProjectPage, PROJECTS_PER_PAGE } from "../../features/projects/list-projects.server.ts";
import { ProjectCards } from "../../features/projects/project-cards.tsx";
import {
  PROJECT_SORTS,
  parseProjectListFilters,
  toProjectListPath,
} from "../../features/projects/project-list-filters.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import type { Route } from "./+types/list.ts";

/** With fewer projects all are in sight, so there is no search. */
const WORTH_SEARCHING = 7;

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseProjectListFilters(url.searchParams);
  const view = await listProjectPage(context.get(workspaceContext), { filters, now: Date.now() });
  return { filters, view, perPage: PROJECTS_PER_PAGE };
}

export default function ProjectsPage({ loaderData }: Route.ComponentProps) {
  const { filters, view, perPage } = loaderData;
  const { summaries, matchingCount, totalCount, page, pageCount } = view;
  const submit = useSubmit();
  const mayMake = useMay("project:write");
  return (
    <>
      <PageHeader
        title="Projects"
        actions={
          mayMake && (
            <LinkButton to="/projects/new" variant="primary" icon={<Plus aria-hidden="true" />}>
              New project
            </LinkButton>
          )
        }
      />
      {(totalCount >= WORTH_SEARCHING || filters.text !== "") && (
        <Form
          role="search"
          className="flex flex-wrap items-center gap-2 pb-4"
          onChange={(event) => {
            if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget);
          }}
        >
          <SearchInput label="Search projects" placeholder="Part of a name" text={filters.text} />
          <Select name="sort" aria-label="Order" defaultValue={filters.sort} className="w-auto!">
            {toOptions(PROJECT_SORTS, ({ value, label }) => [value, label])}
          </Select>
          <Button type="submit">Search</Button>
        </Form>
      )}
      {summaries.length > 0 ? (
        <ProjectCards summaries={summaries} />
      ) : totalCount === 0 && !mayMake ? (
        <EmptyState title="You see no project yet">
          Your account is in no team that has one. Ask an owner or a manager to add you to a team.
        </EmptyState>
      ) : totalCount === 0 ? (
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
        <EmptyState
          title="No project matches"
          actions={<LinkButton to={toProjectListPath(filters, { text: "" })}>Show all projects</LinkButton>}
        >
          No project has “{filters.text}” in its name or slug.
        </EmptyState>
      )}
      {pageCount > 1 && (
        <Pagination
          previousTo={page > 1 ? toProjectListPath(filters, { page: page - 1 }) : null}
          nextTo={page < pageCount ? toProjectListPath(filters, { page: page + 1 }) : null}
        >
          {`${((page - 1) * perPage + 1).toLocaleString("en")} to ${Math.min(page * perPage, matchingCount).toLocaleString("en")} of ${matchingCount.toLocaleString("en")} projects`}
        </Pagination>
      )}
    </>
  );
}

export function meta() {
  return [{ title: "Projects · Culprit" }];
}

export const handle = { section: "projects" };
