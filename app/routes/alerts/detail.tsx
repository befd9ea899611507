import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { readRuleForm } from "../../domain/alerts/read-rule-form.ts";
import { AlertForm } from "../../features/alerts/alert-form.tsx";
import { FiringList } from "../../features/alerts/firing-list.tsx";
import { getAlertPage } from "../../features/alerts/get-alert-page.server.ts";
import { changeAlertRule, createAlertRule } from "../../features/alerts/save-alert.server.ts";
import { toTypedDraft } from "../../features/alerts/typed-draft.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const page = await getAlertPage(context.get(workspaceContext), {
    ruleId: params.rule === undefined ? null : toId(params.rule),
    projectSlug: url.searchParams.get("project"),
  });
  if (page === null) throw data("There is no such alert rule.", { status: 404 });
  return { page, isSaved: url.searchParams.has("saved") };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const typed = readRuleForm(form);
  const now = Date.now();
  const rule =
    params.rule === undefined ? null : await workspace.state.alerts.getRule(workspace.scope, toId(params.rule));
  if (params.rule !== undefined && rule === null) throw data("There is no such alert rule.", { status: 404 });
  const result = rule
    ? await changeAlertRule(workspace, rule, typed, now)
    : await createAlertRule(workspace, typed, now);
  if (!result.ok) return data({ ...result, typed: toTypedDraft(typed) }, { status: result.status });
  throw redirect(`/alerts/${result.ruleId}?saved`);
}

function toId(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export default function AlertPage({ loaderData: { page, isSaved }, actionData }: Route.ComponentProps) {
  const refusal = actionData ?? null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title={page.rule?.name ?? "New alert rule"} trail={[{ label: "Alerts", to: "/alerts" }]} />
      {isSaved && refusal === null && <Notice tone="done" title="Saved. The rule holds from now on." />}
      {refusal && <Notice tone="error" title={refusal.message} />}
      {/* Another rule, or a saved one, begins the form again. */}
      <AlertForm
        key={`${page.rule?.id ?? "new"} ${page.rule?.changedAt ?? 0}`}
        page={page}
        typed={refusal?.typed ?? null}
        refusal={refusal}
      >
        {page.rule && <FiringList firings={page.firings} />}
      </AlertForm>
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.rule?.name ?? "New alert rule"} · Culprit` }];
}

export const handle = { section: "alerts" };
