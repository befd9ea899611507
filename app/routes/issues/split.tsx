import { data, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { getSplitPage } from "../../features/grouping/get-split-page.server.ts";
import { SplitChoices } from "../../features/grouping/split-choices.tsx";
import { splitIssue, undoSplit } from "../../features/grouping/split-issue.server.ts";
import { SplitList } from "../../features/grouping/split-list.tsx";
import { SplitPreviewPanel } from "../../features/grouping/split-preview.tsx";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Route } from "./+types/split.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const variable = (url.searchParams.get("by") ?? "").slice(0, 300);
  const page = await getSplitPage(workspace, { issue, variable });
  return data(page, { status: page.problem?.status ?? 200 });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const form = await request.formData();
  const now = Date.now();
  const intent = form.get("intent");
  if (intent !== "split" && intent !== "undo-split") throw data("intent: split or undo-split.", { status: 400 });
  const result =
    intent === "split"
      ? await splitIssue(workspace, { issue, by: String(form.get("by")), name: String(form.get("name") ?? ""), now })
      : await undoSplit(workspace, { splitId: Number(form.get("split")) || 0, now });
  if (result.ok) return { ok: true as const, intent, split: result.split, isSettled: result.isSettled };
  return data(result, { status: result.status });
}

export default function SplitIssuePage({ loaderData: page, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  return (
    <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4">
      {done && (
        <Notice
          tone="done"
          title={done.intent === "split" ? `${page.issue.shortId} is split.` : `Undone: ${done.split.name}.`}
        >
          {done.intent === "split"
            ? `Later events go by the split from now on. Stored events ${done.isSettled ? "were moved" : "follow"}.`
            : `Later events come to one issue again. Stored events ${done.isSettled ? "are back" : "follow"}.`}
        </Notice>
      )}
      {refusal && (
        <Notice tone="error" title="Nothing was changed.">
          {refusal.message}
        </Notice>
      )}
      {page.problem && <Notice tone="error" title={page.problem.message} />}
      {page.preview && !done && <SplitPreviewPanel issue={page.issue} preview={page.preview} error={refusal} />}
      <SplitChoices issueId={page.issue.id} choices={page.choices} chosen={search.get("by") ?? ""} />
      <SplitList splits={page.splits} empty="This issue is not split, and came of no split." action={null} />
    </div>
  );
}

export const handle = { section: "issues" };
