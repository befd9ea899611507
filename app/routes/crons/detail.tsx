import { data, redirect, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toMonitorRulePath } from "../../domain/findings/monitor-tags.ts";
import { changeCronByForm } from "../../features/crons/change-cron.server.ts";
import { CronForm } from "../../features/crons/cron-form.tsx";
import {
  CurlPanel,
  DurationPanel,
  EnvironmentsPanel,
  IssuesPanel,
  MismatchNotice,
  OutputPanel,
  RunsPanel,
} from "../../features/crons/cron-parts.tsx";
import { CronStateMark } from "../../features/crons/cron-state.tsx";
import { toCronPath } from "../../features/crons/cron-words.ts";
import { getCronPage } from "../../features/crons/get-cron-page.server.ts";
import { useMay } from "../../features/frame/use-may.tsx";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const before = url.searchParams.get("before") ?? "";
  const page = await getCronPage(workspace, {
    project: params.project,
    slug: params.slug,
    environment: url.searchParams.get("environment") || null,
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
    baseUrl: workspace.settings.publicUrl ?? url.origin,
    now: Date.now(),
  });
  if (page === null) throw data("There is no such monitor.", { status: 404 });
  return { page };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const form = await request.formData();
  const { project, slug } = params;
  const result = await changeCronByForm(context.get(workspaceContext), { project, slug, form, now: Date.now() });
  if (!result.ok) return data({ ...result, typed: keepTyped(form) }, { status: result.status });
  if (result.monitor === null) throw redirect("/crons?deleted");
  if (result.monitor.slug !== slug) throw redirect(toCronPath(result.monitor.project, result.monitor.slug));
  return result;
}

export default function CronDetailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { page } = loaderData;
  const { monitor, project } = page;
  const mayChange = useMay("project:write");
  useAnswerInSight();
  const [params] = useSearchParams();
  const toPath = (change: Record<string, string | number | null>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) next.delete(name);
      else next.set(name, String(value));
    }
    return `${toCronPath(project.slug, monitor.slug)}${next.size > 0 ? `?${next}` : ""}`;
  };
  const hasNoPing = monitor.environments.length === 0;
  const refusal = actionData && !actionData.ok ? actionData : null;
  return (
    <>
      <PageHeader
        title={monitor.name ?? monitor.slug}
        trail={[
          { label: "Monitors", to: "/crons" },
          { label: project.name, to: `/crons?project=${encodeURIComponent(project.slug)}` },
        ]}
        description={`${page.scheduleWords}${monitor.isMuted ? " · muted" : ""}`}
        actions={
          <>
            <CronStateMark state={page.state} />
            {mayChange && (
              <>
                <LinkButton
                  variant="quiet"
                  to={toMonitorRulePath(
                    { kind: "cron", id: monitor.id },
                    { project: project.slug, name: monitor.name ?? monitor.slug },
                  )}
                >
                  New alert rule
                </LinkButton>
                <ButtonForm name="intent" value={monitor.isMuted ? "unmute" : "mute"}>
                  {monitor.isMuted ? "Unmute" : "Mute"}
                </ButtonForm>
                <ConfirmDialog
                  title={`Delete ${monitor.name ?? monitor.slug}?`}
                  explanation={<p>Its runs are gone. The next check-in makes it again, without its schedule.</p>}
                  trigger={{ children: "Delete", variant: "quiet" }}
                >
                  <ButtonForm name="intent" value="delete" variant="danger">
                    Delete the monitor
                  </ButtonForm>
                </ConfirmDialog>
              </>
            )}
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {actionData?.ok && <Notice tone="done" title={actionData.message} />}
        {refusal && refusal.field === null && <Notice tone="error" title={refusal.message} />}
        <MismatchNotice page={page} mayChange={mayChange} />
        {hasNoPing && <CurlPanel page={page} />}
        {monitor.environments.length > 1 && (
          <TabLinks
            label="Environments"
            tabs={[
              {
                to: toPath({ environment: null, before: null }),
                label: "All environments",
                isCurrent: page.environment === null,
              },
              ...monitor.environments.map(({ name }) => ({
                to: toPath({ environment: name, before: null }),
                label: name,
                isCurrent: page.environment === name,
              })),
            ]}
          />
        )}
        <OutputPanel page={page} />
        <div className="cron-columns">
          <DurationPanel page={page} />
          <EnvironmentsPanel page={page} mayChange={mayChange} />
          <IssuesPanel page={page} />
        </div>
        <RunsPanel page={page} path={toPath} />
        <Panel title="Schedule">
          {mayChange ? (
            <KeptFocus>
              <CronForm
                key={JSON.stringify([monitor.config, monitor.name, monitor.slug])}
                intent="save"
                submit="Save"
                values={{ name: monitor.name ?? "", slug: monitor.slug, config: monitor.config }}
                preview={page.preview}
                error={refusal}
                typed={refusal?.typed ?? null}
              />
            </KeptFocus>
          ) : (
            <p className="text-sm">{page.scheduleWords}</p>
          )}
        </Panel>
        {!hasNoPing && <CurlPanel page={page} />}
      </div>
    </>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  const monitor = loaderData?.page.monitor;
  return [{ title: `${monitor?.name ?? monitor?.slug ?? "Monitor"} · Culprit` }];
}

export const handle = { section: "crons" };
