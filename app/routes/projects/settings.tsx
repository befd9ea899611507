import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { BUILT_IN_SLUG } from "../../domain/project.ts";
import { DEFAULT_HEALTH_GOAL } from "../../domain/releases/release-health.ts";
import { changeProjectSettings } from "../../features/projects/change-project-settings.server.ts";
import { deleteProject } from "../../features/projects/delete-project.server.ts";
import { DeleteProjectSettings } from "../../features/projects/delete-project-settings.tsx";
import { GeneralSettings } from "../../features/projects/general-settings.tsx";
import { GroupingPanel } from "../../features/projects/grouping-panel.tsx";
import { HealthSettings } from "../../features/projects/health-settings.tsx";
import { KeySettings } from "../../features/projects/key-settings.tsx";
import { listSampleFrames } from "../../features/projects/list-sample-frames.server.ts";
import { OriginSettings } from "../../features/projects/origin-settings.tsx";
import { PerformanceSettings } from "../../features/projects/performance-settings.tsx";
import { toDsn, toLoaderUrl } from "../../features/projects/project-dsn.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { nameServiceRules } from "../../features/projects/service-rules.server.ts";
import { ServiceSettings } from "../../features/projects/service-settings.tsx";
import { SourceLinkSettings } from "../../features/projects/source-link-settings.tsx";
import { SourceMapSettings } from "../../features/projects/source-map-settings.tsx";
import { listRepositoryPages } from "../../features/repositories/list-repositories.server.ts";
import { toErrorOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/settings.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const [keys, samples, repositoryPages, services, goals] = await Promise.all([
    workspace.state.projects.listKeys(workspace.scope, project.id),
    listSampleFrames(workspace, project.id),
    listRepositoryPages(workspace),
    nameServiceRules(workspace, project),
    workspace.state.health.listGoals(workspace.scope),
  ]);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  return {
    project,
    keys: keys.map((key) => ({ key, dsn: toDsn(baseUrl, key), loaderUrl: toLoaderUrl(baseUrl, key) })),
    samples,
    repositoryPages,
    services,
    goal: goals.get(project.id) ?? DEFAULT_HEALTH_GOAL,
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  if (form.get("intent") === "delete-project") {
    const deleted =
      form.get("confirm") === project.slug
        ? await deleteProject(workspace, { project, now: Date.now() })
        : {
            ok: false as const,
            status: 400 as const,
            message: `confirm: type ${project.slug}, the slug of the project.`,
          };
    if (deleted.ok) return redirect("/projects");
    const { status, message } = deleted;
    return data({ ok: false as const, field: "delete", message }, { status });
  }
  const result = await changeProjectSettings(workspace, project, form);
  if (!result.ok) return data(result, { status: result.status });
  if (result.slug !== project.slug) return redirect(`/projects/${result.slug}/settings`);
  return result;
}

export default function ProjectSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, keys, samples, repositoryPages, services, goal } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const errorOf = toErrorOf(refusal);
  const draft = actionData && "draft" in actionData ? actionData.draft : undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Project settings" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="settings" />
      {actionData?.ok && actionData.message !== null && <Notice tone="done" title={actionData.message} />}
      {refusal?.field === "keys" && <Notice tone="error" title={refusal.message} />}
      <GeneralSettings key={project.slug} project={project} error={refusal} />
      <KeySettings keys={keys} error={refusal} />
      <SourceLinkSettings
        slug={project.slug}
        saved={project.sourceLinks}
        posted={draft}
        samples={samples}
        repositoryPages={repositoryPages}
        error={refusal}
      />
      <GroupingPanel movedAt={project.groupingMovedAt} />
      <SourceMapSettings slug={project.slug} isFetching={project.fetchesSourceMaps} />
      <PerformanceSettings apdexMs={project.apdexMs} error={errorOf("apdex")} />
      <HealthSettings goal={goal} error={refusal} />
      <OriginSettings origins={project.allowedOrigins} error={errorOf("origins")} />
      <ServiceSettings services={services} error={errorOf("services")} />
      <DeleteProjectSettings project={project} isOwn={project.slug === BUILT_IN_SLUG} error={errorOf("delete")} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Settings of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects", prefetch: "static" };
