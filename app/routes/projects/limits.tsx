import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import { getFiltersPage } from "../../features/filters/get-filters-page.server.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { changeQuotasByForm } from "../../features/limits/change-quotas.server.ts";
import { changeVolume, changeVolumeByForm } from "../../features/limits/change-volume.server.ts";
import { getSpike } from "../../features/limits/get-spike.server.ts";
import { LimitsNotice } from "../../features/limits/limits-notice.tsx";
import { listQuotaUses } from "../../features/limits/list-quota-uses.server.ts";
import { QuotaPanel } from "../../features/limits/quota-panel.tsx";
import { SpikeNotice } from "../../features/limits/spike-notice.tsx";
import { VolumePanel } from "../../features/limits/volume-panel.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/limits.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const now = Date.now();
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  const quotas = await listQuotaUses(workspace, id, now);
  if (quotas === null) throw data("There is no such project.", { status: 404 });
  const [filters, rules, spike] = await Promise.all([
    getFiltersPage(workspace, { id }, now),
    workspace.state.rules.getRules(workspace.scope, id),
    getSpike(workspace, id, now),
  ]);
  if (filters === null || rules === null) throw data("There is no such project.", { status: 404 });
  return { project: { slug, name, firstEventAt }, quotas, volume: rules.volume, uses: filters.uses, spike };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const { id } = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const intent = form.get("intent");
  const result =
    intent === "volume"
      ? await changeVolumeByForm(workspace, id, form)
      : intent === "turn-off-spike"
        ? await changeVolume(workspace, id, { isSpikeProtected: false })
        : await changeQuotasByForm(workspace, id, form);
  return result.ok ? result : data({ ...result, typed: toTyped(form) }, { status: result.status });
}

export default function LimitsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, quotas, volume, uses, spike } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const typedOf = (intent: string) => (refusal?.typed.intent === intent ? refusal.typed : null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Limits" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="limits" />
      <LimitsNotice result={actionData} />
      <SpikeNotice slug={project.slug} spike={spike} />
      <p className="max-w-prose text-muted text-sm">
        How much this project may send, and how much of it is stored. A key can have a limit of its own, in the
        project’s <TextLink to={`/projects/${project.slug}/settings`}>settings</TextLink>.{" "}
        <TextLink to={`/arrived?project=${project.slug}`}>Arrived</TextLink> counts everything that was refused.
      </p>
      <QuotaPanel of="project" quotas={quotas} typed={typedOf("set-quota")} error={refusal} />
      <VolumePanel slug={project.slug} settings={volume} uses={uses} typed={typedOf("volume")} error={refusal} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Limits of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
