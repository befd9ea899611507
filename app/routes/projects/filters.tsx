import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { BuiltInFilters } from "../../features/filters/built-in-filters.tsx";
import { changeFiltersByForm } from "../../features/filters/change-filters.server.ts";
import { ConditionFilters, UndoDeletion } from "../../features/filters/condition-filters.tsx";
import { getFiltersPage } from "../../features/filters/get-filters-page.server.ts";
import { ListFilters } from "../../features/filters/list-filters.tsx";
import { toTyped } from "../../features/input/read-form.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/filters.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  const page = await getFiltersPage(workspace, { id }, Date.now());
  if (page === null) throw data("There is no such project.", { status: 404 });
  return { project: { slug, name, firstEventAt }, page };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const result = await changeFiltersByForm(workspace, project, form);
  return result.ok ? result : data({ ...result, typed: toTyped(form) }, { status: result.status });
}

export default function FiltersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, page } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const typedOf = (intent: string) => (refusal?.typed.intent === intent ? refusal.typed : null);
  const isOfRow = refusal?.field === "condition" || refusal?.field === "intent";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Filters" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="filters" />
      {actionData?.ok && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.deleted && <UndoDeletion deleted={actionData.deleted} />}
        />
      )}
      {isOfRow && <Notice tone="error" title={refusal.message} />}
      <p className="max-w-prose text-muted text-sm">
        An event that a filter takes is not stored. Filters look at errors, messages and security reports, after they
        were received: the SDK is told that they were accepted, and{" "}
        <TextLink to={`/arrived?project=${project.slug}`}>Arrived</TextLink> counts them as filtered. The latest example
        of each filter is kept for a day.
      </p>
      <BuiltInFilters slug={project.slug} page={page} />
      <ListFilters slug={project.slug} page={page} typed={typedOf("lists")} error={refusal} />
      <ConditionFilters slug={project.slug} page={page} typed={typedOf("add-condition")} error={refusal} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Filters of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
