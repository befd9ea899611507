import { useEffect } from "react";
import { data, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { workspaceContext } from "../../context.ts";
import { isOutcome } from "../../domain/alerts/outcome.ts";
import { readRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { ALERT_FORM_ID, AlertForm } from "../../features/alerts/alert-form.tsx";
import { CHANGED_MEANWHILE } from "../../features/alerts/alert-result.ts";
import { ConditionExamples } from "../../features/alerts/condition-examples.tsx";
import { FiringList } from "../../features/alerts/firing-list.tsx";
import { getAlertPage } from "../../features/alerts/get-alert-page.server.ts";
import { HistoryPanel } from "../../features/alerts/history-panel.tsx";
import { offerLine, withLine } from "../../features/alerts/offer-line.server.ts";
import { PeriodList } from "../../features/alerts/period-list.tsx";
import { RehearsalPanel } from "../../features/alerts/rehearsal-panel.tsx";
import { rehearseAlert } from "../../features/alerts/rehearse-alert.server.ts";
import { changeAlertRule, checkRuleDraft, createAlertRule } from "../../features/alerts/save-alert.server.ts";
import { toTypedDraft } from "../../features/alerts/typed-draft.ts";
import { toId } from "../../features/input/to-id.ts";
import { TemplateLinks } from "../../features/monitors/template-links.tsx";
import { SilenceButtons } from "../../features/silences/silence-buttons.tsx";
import { SilenceNotices } from "../../features/silences/silence-notice.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/detail.ts";

/** A suggested line for the number of the rule, from a mail. */
const LINE = /^\d{1,7}$/;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const now = Date.now();
  const shown = url.searchParams.get("saw");
  const page = await getAlertPage(workspace, {
    ruleId: params.rule === undefined ? null : toId(params.rule),
    projectSlug: url.searchParams.get("project"),
    template: url.searchParams.get("template"),
    monitor: url.searchParams.get("monitor"),
    monitorName: url.searchParams.get("name") ?? "",
    shown: isOutcome(shown) ? shown : null,
    now,
  });
  if (page === null) throw data("There is no such alert rule.", { status: 404 });
  const { searchParams } = url;
  const suggested = searchParams.get("line") ?? "";
  const offered =
    page.rule !== null && page.mayChange && LINE.test(suggested)
      ? await offerLine(workspace, { rule: page.rule, line: Number(suggested), now })
      : null;
  // It takes seconds with much data, so it follows in the same answer.
  const first = page.rule === null && page.mayChange ? rehearseAlert(workspace, page.draft, now) : null;
  return { page, offered, first, isSaved: searchParams.has("saved"), project: searchParams.get("project") ?? "" };
}

/** The form of a new rule needs nothing new after a rehearsal or a refusal. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  nextParams,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return nextParams.rule === undefined && currentUrl.href === nextUrl.href ? false : defaultShouldRevalidate;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const typed = readRuleForm(form);
  const now = Date.now();
  const rule =
    params.rule === undefined ? null : await workspace.state.alerts.getRule(workspace.scope, toId(params.rule));
  if (params.rule !== undefined && rule === null) throw data("There is no such alert rule.", { status: 404 });
  const intent = String(form.get("intent"));
  // The version of the rule when the person began. A rehearsal in between does not show the changes of others.
  const seen = Number(form.get("changedAt")) || null;
  const line = /^use-(\d{1,7})$/.exec(intent)?.[1];
  if (intent === "rehearse" || line !== undefined) {
    const changed = line === undefined ? typed : withLine(typed, Number(line));
    const checked = await checkRuleDraft(workspace, { ...changed, name: changed.name.trim() || "Rehearsal" }, now);
    if (!checked.ok) return data({ ...checked, typed: toTypedDraft(changed), line, seen }, { status: checked.status });
    const rehearsal = await rehearseAlert(workspace, checked.draft, now);
    return { ok: true as const, rehearsal, typed: toTypedDraft(changed), line, seen };
  }
  const result = rule
    ? await changeAlertRule(workspace, rule, typed, now, seen)
    : await createAlertRule(workspace, typed, now);
  // After the refusal the person knows of the other change, and may save anyway.
  const isTold = result === CHANGED_MEANWHILE;
  if (!result.ok)
    return data({ ...result, typed: toTypedDraft(typed), line, seen: isTold ? null : seen }, { status: result.status });
  throw redirect(`/alerts/${result.ruleId}?saved`);
}

export default function AlertPage({
  loaderData: { page, offered, first, isSaved, project },
  actionData,
}: Route.ComponentProps) {
  const refusal = actionData && !actionData.ok ? actionData : null;
  const shownOffer = actionData ? null : offered;
  useAnswerInSight();
  // The form of a new rule kept the scroll position, for its rehearsals.
  useEffect(() => {
    if (isSaved) window.scrollTo({ top: 0 });
  }, [isSaved]);
  const rehearsal = actionData?.ok ? actionData.rehearsal : (shownOffer?.rehearsal ?? null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title={page.rule?.name ?? "New alert rule"}
        trail={[{ label: "Alerts", to: "/alerts" }]}
        actions={
          page.rule && page.mayChange && <SilenceButtons fields={{ rule: page.rule.id }} name={page.rule.name} />
        }
      />
      <SilenceNotices silences={page.silences} />
      {isSaved && refusal === null && <Notice tone="done" title="Saved. The rule holds from now on." />}
      {refusal && <Notice tone="error" title={refusal.message} />}
      {shownOffer && (
        <Notice title={`The form has the line ${shownOffer.line.toLocaleString("en")}. It holds once you save.`} />
      )}
      {page.rule === null && page.draft.name === "" && !actionData && <TemplateLinks kinds="both" project={project} />}
      <KeptFocus>
        {/* The form begins again for another rule, and after saving. */}
        <AlertForm
          key={`${page.rule?.id ?? `new ${page.draft.name}`} ${page.rule?.changedAt ?? 0} ${actionData?.line ?? shownOffer?.line ?? ""}`}
          page={page}
          typed={actionData?.typed ?? shownOffer?.typed ?? null}
          changedAt={actionData?.seen ?? page.rule?.changedAt ?? null}
          refusal={refusal}
        >
          {(rehearsal || page.mayChange) && (
            <RehearsalPanel rehearsal={rehearsal} first={first} formId={ALERT_FORM_ID} />
          )}
          {page.rule === null && <ConditionExamples />}
          {page.rule && (page.rule.steps.length > 0 || page.periods.length > 0) && (
            <PeriodList periods={page.periods} />
          )}
          {page.rule && <FiringList firings={page.firings} />}
          {page.rule && <HistoryPanel ruleId={page.rule.id} items={page.history} shown={page.shown} />}
        </AlertForm>
      </KeptFocus>
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.rule?.name ?? "New alert rule"} · Culprit` }];
}

export const handle = { section: "alerts" };
