import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { changeOwnersByForm } from "../../features/owners/change-owners-form.server.ts";
import { CodeownersForm } from "../../features/owners/codeowners-form.tsx";
import { getOwnersPage } from "../../features/owners/get-owners-page.server.ts";
import { MissingOwners } from "../../features/owners/missing-owners.tsx";
import { OwnersForm } from "../../features/owners/owners-form.tsx";
import { OwnersHelp } from "../../features/owners/owners-help.tsx";
import { TriedEvents } from "../../features/owners/tried-events.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/owners.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  const page = await getOwnersPage(workspace, { id });
  if (page === null) throw data("There is no such project.", { status: 404 });
  return { project: { slug, name, firstEventAt }, page };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const result = await changeOwnersByForm(workspace, project, form);
  const answer = { ...result, typed: toTyped(form) };
  return result.ok ? answer : data(answer, { status: result.status });
}

export default function OwnersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, page } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  // Rules that were tried or refused stay in the fields. Saved rules come from the page.
  const isDraft = refusal !== null || (done !== null && done.tried !== null);
  const typed = isDraft && actionData?.typed.intent !== "import" ? actionData?.typed : undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Owners" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="owners" />
      {done?.message && done.passedOver === null && <Notice tone="done" title={done.message} />}
      {refusal && (
        <Notice tone="error" title="Nothing was saved.">
          {refusal.message}
        </Notice>
      )}
      <MissingOwners missing={page.missing} />
      <OwnersForm key={page.ownership.text} ownership={page.ownership} typed={typed} error={refusal} />
      {done?.tried && <TriedEvents events={done.tried} />}
      <CodeownersForm
        typed={actionData?.typed.codeowners}
        error={refusal}
        imported={done?.passedOver ? { message: done.message ?? "", passedOver: done.passedOver } : null}
      />
      <OwnersHelp />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Owners of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
