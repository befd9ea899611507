import { data } from "react-router";
import { workspaceContext } from "../../context.ts";
import type { RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import { getGroupingPage } from "../../features/grouping/get-grouping-page.server.ts";
import { MergeList } from "../../features/grouping/merge-list.tsx";
import { moveStoredEvents, previewMove, undoStoredMove } from "../../features/grouping/move-stored-events.server.ts";
import { previewGroupingRules, type ShownPreview } from "../../features/grouping/preview-grouping-rules.server.ts";
import { PreviewPanel } from "../../features/grouping/preview-panel.tsx";
import { renameDecision } from "../../features/grouping/rename-decision.server.ts";
import { RuleUsesPanel } from "../../features/grouping/rule-uses-panel.tsx";
import { RulesForm } from "../../features/grouping/rules-form.tsx";
import { RulesHelp } from "../../features/grouping/rules-help.tsx";
import { readRulesForm, saveGroupingRules } from "../../features/grouping/save-grouping-rules.server.ts";
import { SplitList } from "../../features/grouping/split-list.tsx";
import { StoredEventsPanel } from "../../features/grouping/stored-events-panel.tsx";
import { GroupingPanel } from "../../features/projects/grouping-panel.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/grouping.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const { slug, name, firstEventAt } = project;
  return { project: { slug, name, firstEventAt }, page: await getGroupingPage(workspace, project) };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const intent = form.get("intent");
  const now = Date.now();
  const days = form.get("days");
  if (intent === "preview-move") {
    const tried = await previewMove(workspace, project, { days, now });
    return tried.ok ? { ...DONE, movePreview: tried.preview, days: String(days) } : refuse(tried);
  }
  if (intent === "move") {
    const asked = await moveStoredEvents(workspace, project, { days, now });
    return asked.ok ? { ...DONE, message: "Stored events are being moved." } : refuse(asked);
  }
  if (intent === "undo-move") {
    const undone = await undoStoredMove(workspace, { moveId: Number(form.get("move")) || 0, now });
    if (!undone.ok) return refuse(undone);
    return { ...DONE, message: undone.isSettled ? "The events are back." : "The events go back in the background." };
  }
  if (intent === "rename-merge" || intent === "rename-split") {
    const kind = intent === "rename-merge" ? "merge" : "split";
    const id = Number(form.get("id")) || 0;
    const renamed = await renameDecision(workspace, { kind, id, name: String(form.get("name") ?? "") });
    return renamed.ok ? { ...DONE, message: `Renamed: ${renamed.name}.` } : refuse(renamed);
  }
  const { texts, revision } = readRulesForm(form);
  if (intent === "preview") {
    const tried = await previewGroupingRules(workspace, project, texts);
    return tried.ok ? { ...DONE, texts, preview: tried.preview } : data({ ...tried, texts }, { status: tried.status });
  }
  const result = await saveGroupingRules(workspace, project, { texts, revision, now });
  if (!result.ok) return data({ ...result, texts }, { status: result.status });
  const message = "Rules saved. They hold from the next event on. Stored events can follow: see Stored events below.";
  return { ...DONE, message, texts: result.rules };
}

const DONE = {
  ok: true as const,
  message: null as string | null,
  texts: null as RuleTexts | null,
  preview: null as ShownPreview | null,
  movePreview: null as ShownPreview | null,
  days: "7",
};

function refuse(refusal: { status: number; message: string }) {
  const { status, message } = refusal;
  return data({ ok: false as const, message, field: null, texts: null }, { status });
}

export default function GroupingPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, page } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Grouping" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="grouping" />
      {done?.message && <Notice tone="done" title={done.message} />}
      {refusal && (
        <Notice tone="error" title="Nothing was saved.">
          {refusal.message}
        </Notice>
      )}
      <RulesForm key={page.rules.revision} texts={actionData?.texts ?? page.rules} rules={page.rules} error={refusal} />
      {done?.preview && <PreviewPanel preview={done.preview} />}
      <StoredEventsPanel moves={page.moves} days={done?.days ?? "7"} />
      {done?.movePreview && <PreviewPanel preview={done.movePreview} title="Preview of the move" />}
      <RuleUsesPanel rules={page.rules} uses={page.uses} />
      <MergeList merges={page.merges} action={`/projects/${project.slug}/grouping`} />
      <SplitList
        action={`/projects/${project.slug}/grouping`}
        splits={page.splits}
        empty="Nobody has split any. Open an issue and its tab Split…, and choose a value by which its events differ."
      />
      <RulesHelp />
      <GroupingPanel movedAt={page.movedAt} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Grouping of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "projects" };
