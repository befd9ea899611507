import { data } from "react-router";
import { engineContext } from "../../context.ts";
import { toReleasePath } from "../../features/releases/release-paths.ts";
import { changeUploads } from "../../features/source-maps/change-uploads.server.ts";
import { getSourceMapsPage } from "../../features/source-maps/get-source-maps-page.server.ts";
import { PassProgress } from "../../features/source-maps/pass-progress.tsx";
import { sayReleaseSourceMaps } from "../../features/source-maps/say-release-source-maps.ts";
import { SetUpHelp } from "../../features/source-maps/set-up-help.tsx";
import { toSourceMapsPath } from "../../features/source-maps/source-map-paths.ts";
import { UploadList } from "../../features/source-maps/upload-list.tsx";
import { WantedList } from "../../features/source-maps/wanted-list.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/source-maps.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const page = await getSourceMapsPage(context.get(engineContext), { slug: params.slug, url });
  if (!page) throw data("There is no such project.", { status: 404 });
  return page;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const project = await engine.state.getProjectBySlug(params.slug);
  if (!project) throw data("There is no such project.", { status: 404 });
  const result = await changeUploads(engine, project, await request.formData());
  return result.ok ? result : data(result, { status: result.status });
}

export default function SourceMapsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, release, sums, hasReleasePage, wanted, uploads, nextCursor, opened, pass, explain } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-page gap-4">
      <PageHeader
        title="Source maps"
        trail={[
          { label: "Projects", to: "/projects" },
          { label: project.name, to: `/projects/${project.slug}` },
        ]}
        actions={<LinkButton to={`/projects/${project.slug}/settings`}>Settings</LinkButton>}
      />
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
      <WantedList wanted={wanted} explain={explain} />
      <UploadList uploads={uploads} opened={opened} nextCursor={nextCursor} project={project.slug} release={release} />
      <SetUpHelp explain={explain} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Source maps of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
