import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { toReleasePath } from "../../features/releases/release-paths.ts";
import { deleteUpload } from "../../features/source-maps/delete-upload.server.ts";
import { getSourceMapsPage } from "../../features/source-maps/get-source-maps-page.server.ts";
import { MissingMapList } from "../../features/source-maps/missing-map-list.tsx";
import { PassProgress } from "../../features/source-maps/pass-progress.tsx";
import { sayReleaseSourceMaps } from "../../features/source-maps/say-release-source-maps.ts";
import { SetUpHelp } from "../../features/source-maps/set-up-help.tsx";
import { toSourceMapsPath } from "../../features/source-maps/source-map-paths.ts";
import { UploadList } from "../../features/source-maps/upload-list.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/source-maps.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  return getSourceMapsPage(workspace, { project: await requireProject(workspace, params.slug), url });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const result = await deleteUpload(workspace, { projectId: project.id }, await request.formData());
  return result.ok ? result : data(result, { status: result.status });
}

export default function SourceMapsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, release, sums, hasReleasePage, wanted, uploads, pass, explain } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-page gap-4">
      <PageHeader title="Source maps" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="source-maps" />
      {release !== null && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span>
            Of release{" "}
            {hasReleasePage ? (
              <TextLink to={toReleasePath(release)} className="wrap-anywhere font-mono">
                {release}
              </TextLink>
            ) : (
              <code className="wrap-anywhere font-semibold">{release}</code>
            )}
            {sums && `: ${sayReleaseSourceMaps(sums)}`}
          </span>
          <TextLink to={toSourceMapsPath(project.slug)}>Show all releases</TextLink>
        </p>
      )}
      {actionData?.ok && <Notice tone="done" title={actionData.message} />}
      {actionData && !actionData.ok && <Notice tone="error" title={actionData.message} />}
      <PassProgress pass={pass} />
      <MissingMapList wanted={wanted} explain={explain} />
      <UploadList
        page={uploads}
        toReleaseLink={(version) => toSourceMapsPath(project.slug, version)}
        empty={
          release === null ? (
            <EmptyState title="Nothing was uploaded yet">
              Your build uploads source maps. See below what to add to it.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing was uploaded for this release">
              Uploads with debug ids need no release. The project lists them.
            </EmptyState>
          )
        }
      />
      <SetUpHelp explain={explain} platform={project.platform} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Source maps of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
