import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { withOwnLast } from "../../domain/project.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { createUptime } from "../../features/uptime/change-uptime.server.ts";
import { NEW_UPTIME_FIELDS, toPlacesText } from "../../features/uptime/read-uptime-form.ts";
import { UptimeForm } from "../../features/uptime/uptime-form.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/new.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { state, scope, settings } = context.get(workspaceContext);
  const listed = withOwnLast(await state.projects.listProjects(scope));
  const projects = listed.map(({ slug, name }) => ({ slug, name }));
  const locations = (await state.uptimeLocations.listUptimeLocations()).map(({ id, name }) => ({ id, name }));
  return {
    projects,
    locations,
    project: url.searchParams.get("project") ?? "",
    allowsPrivate: settings.allowsPrivateChecks,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await createUptime(context.get(workspaceContext), form, Date.now());
  const typed: Record<string, string> = { ...toTyped(form), places: toPlacesText(form) ?? "here" };
  if (!result.ok) return data({ ...result, typed }, { status: result.status });
  throw redirect(`/uptime/${result.monitorId}`);
}

export default function NewUptimePage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  return (
    <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="Check an address" trail={[{ label: "Uptime", to: "/uptime" }]} />
      <Card className="p-4">
        <UptimeForm
          values={{ ...NEW_UPTIME_FIELDS, ...actionData?.typed }}
          error={actionData ?? null}
          projects={loaderData.projects}
          project={actionData?.typed.project ?? loaderData.project}
          locations={loaderData.locations}
          allowsPrivate={loaderData.allowsPrivate}
          submit="Check it"
        />
      </Card>
    </div>
  );
}

export function meta() {
  return [{ title: "Check an address · Culprit" }];
}

export const handle = { section: "uptime" };
