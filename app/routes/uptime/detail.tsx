import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toMonitorRulePath } from "../../domain/findings/monitor-tags.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { toId } from "../../features/input/to-id.ts";
import { changeUptime } from "../../features/uptime/change-uptime.server.ts";
import { getUptimePage } from "../../features/uptime/get-uptime-pages.server.ts";
import { toPlacesText } from "../../features/uptime/read-uptime-form.ts";
import { UptimeChecks, UptimeDays, UptimeOutages } from "../../features/uptime/uptime-facts.tsx";
import { UptimeForm } from "../../features/uptime/uptime-form.tsx";
import { UptimeStatusBadge } from "../../features/uptime/uptime-list.tsx";
import { UptimePlaces } from "../../features/uptime/uptime-places.tsx";
import { UptimeLegend, UptimeStrip } from "../../features/uptime/uptime-strip.tsx";
import { formatAvailability } from "../../features/uptime/uptime-words.ts";
import "../../features/uptime/uptime.css";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const page = await getUptimePage(workspace, { monitorId: toId(params.monitor), now: Date.now() });
  if (page === null) throw data("There is no such monitor.", { status: 404 });
  return { page, allowsPrivate: workspace.settings.allowsPrivateChecks };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const form = await request.formData();
  const monitorId = toId(params.monitor);
  const result = await changeUptime(context.get(workspaceContext), { monitorId, form, now: Date.now() });
  const typed: Record<string, string> = { ...toTyped(form), places: toPlacesText(form) ?? "" };
  if (!result.ok) return data({ ...result, typed }, { status: result.status });
  if (result.monitorId === null) throw redirect("/uptime");
  return { ...result, typed: null };
}

export default function UptimeMonitorPage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const { page, allowsPrivate } = loaderData;
  const { item } = page;
  const { state } = item;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const issues = new URLSearchParams({ q: `monitor.name:"${item.name}"`, project: item.project.slug });
  return (
    <div className="grid max-w-[64rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={<bdi>{item.name}</bdi>}
        trail={[{ label: "Uptime", to: "/uptime" }]}
        description={
          <>
            <code className="wrap-anywhere text-xs">{item.address}</code> · {item.checked} ·{" "}
            <TextLink to={`/projects/${item.project.slug}`}>{item.project.name}</TextLink>
          </>
        }
        actions={
          page.mayChange && (
            <>
              <LinkButton to={`/projects/${item.project.slug}/status-page`} variant="quiet">
                Status page
              </LinkButton>
              <LinkButton
                variant="quiet"
                to={toMonitorRulePath({ kind: "uptime", id: item.id }, { project: item.project.slug, name: item.name })}
              >
                New alert rule
              </LinkButton>
              <ButtonForm name="intent" value={item.isPaused ? "resume" : "pause"}>
                {item.isPaused ? "Check again" : "Pause"}
              </ButtonForm>
              <ConfirmDialog
                title={`Delete ${item.name}?`}
                explanation={<p>Nobody hears any more when it is down. Its settings and its marks are gone.</p>}
                trigger={{ children: "Delete", variant: "quiet" }}
              >
                <ButtonForm name="intent" value="delete" variant="danger">
                  Delete the monitor
                </ButtonForm>
              </ConfirmDialog>
            </>
          )
        }
      />
      {actionData?.ok && <Notice tone="done" title={actionData.message} />}
      {refusal?.field === "intent" && <Notice tone="error" title={refusal.message} />}
      <Panel title="Now" actions={<UptimeStatusBadge {...item} />}>
        <div className="grid gap-3">
          <p className="text-sm">
            {state.lastCheckAt === null ? (
              item.isPaused ? (
                "It is not checked."
              ) : (
                "The first check comes within seconds."
              )
            ) : (
              <>
                Last checked <RelativeTime at={state.lastCheckAt} />
                {state.lastReason === null ? ": all was well." : `: ${state.lastReason}.`}{" "}
                {state.status === "confirming" && "A second check after 10 seconds decides. "}
                <TextLink to={`/issues?${issues}`}>Its issues</TextLink>
              </>
            )}
          </p>
          <UptimeStrip ticks={item.ticks} name={item.name} downtimes={page.downtimes} until={page.until} />
          <UptimeLegend />
          <p className="text-muted text-xs">
            A mark is a quarter of an hour of the last 24 hours:{" "}
            {item.availability === null
              ? "none was checked."
              : `${formatAvailability(item.availability)} of the checks went well. Times without checks count as neither.`}
          </p>
          {state.certificateEndsAt !== null && (
            <p className="text-sm">
              The certificate ends on {new Date(state.certificateEndsAt).toISOString().slice(0, 10)}.
            </p>
          )}
        </div>
      </Panel>
      {page.places.length > 0 && (
        <UptimePlaces places={page.places} rule={page.rule} downtimes={page.downtimes} until={page.until} />
      )}
      <UptimeDays days={page.days} availability={page.availability} />
      <UptimeOutages outages={page.outages} now={page.now} />
      <UptimeChecks checks={page.checks} />
      {page.mayChange && (
        <Panel title="Settings">
          <KeptFocus>
            <UptimeForm
              key={JSON.stringify(page.fields)}
              values={{ ...page.fields, ...(refusal?.typed ?? {}) }}
              error={refusal}
              locations={page.locations}
              allowsPrivate={allowsPrivate}
              submit="Save"
            />
          </KeptFocus>
        </Panel>
      )}
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.item.name ?? "Uptime"} · Culprit` }];
}

export const handle = { section: "uptime" };
