import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changePrivacy, readPrivacyForm, testPrivacy } from "../../features/privacy/change-privacy.server.ts";
import { PrivacyForm } from "../../features/privacy/privacy-form.tsx";
import { PrivacyTestResult } from "../../features/privacy/privacy-test-result.tsx";
import { RulesHelp } from "../../features/privacy/rules-help.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/privacy.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  const rules = await workspace.state.rules.getRules(workspace.scope, id);
  if (rules === null) throw data("There is no such project.", { status: 404 });
  const { hashKey: _, ...privacy } = rules.privacy;
  return { project: { slug, name, firstEventAt }, privacy };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const typed = readPrivacyForm(form);
  const isTest = form.get("intent") === "test";
  const result = isTest
    ? await testPrivacy(workspace, project, typed)
    : { ...(await changePrivacy(workspace, project, typed)), test: null };
  return data({ ...result, typed }, { status: result.ok ? 200 : result.status });
}

export default function PrivacyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, privacy } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const test = actionData?.ok && "test" in actionData ? actionData.test : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Privacy" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="privacy" />
      {actionData?.ok && "message" in actionData && <Notice tone="done" title={actionData.message} />}
      <p className="max-w-prose text-muted text-sm">
        Secrets are masked after they were received and before they are stored or shown. A change holds for what arrives
        from then on; what is stored stays as it is. Attachments and recordings of replays are stored as they were sent.
      </p>
      <PrivacyForm shown={refusal || test ? (actionData?.typed ?? privacy) : privacy} error={refusal} />
      {test !== null && <PrivacyTestResult test={test} />}
      <RulesHelp />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Privacy of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
