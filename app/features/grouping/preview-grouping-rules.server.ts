import type { Workspace } from "../../access/workspace.ts";
import type { GroupingPreview, PreviewFlow } from "../../domain/grouping-rules/grouping-preview.ts";
import type { RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import type { Project } from "../../domain/project.ts";
import { checkRules, type RuleRefusal } from "./save-grouping-rules.server.ts";

/** An issue as a preview names it. */
export interface PreviewIssue {
  id: number;
  shortId: string;
  title: string;
}

/** An issue that would be made. */
export interface NewIssue {
  hash: string;
  title: string;
}

export interface ShownPreview extends Omit<GroupingPreview, "flows"> {
  flows: Array<Omit<PreviewFlow, "fromIssueId" | "to"> & { from: PreviewIssue | null; to: PreviewIssue | NewIssue }>;
}

/** What the rules would have done to the newest events. It writes nothing. */
export async function previewGroupingRules(
  workspace: Pick<Workspace, "state" | "scope" | "previewGrouping">,
  project: Pick<Project, "id">,
  texts: RuleTexts,
): Promise<
  { ok: true; preview: ShownPreview } | (Omit<RuleRefusal, "status"> & { status: RuleRefusal["status"] | 429 })
> {
  const refusal = checkRules(texts);
  if (refusal !== null) return refusal;
  const preview = await workspace.previewGrouping({ projectId: project.id, ...texts });
  if (preview === null)
    return {
      ok: false,
      status: 429,
      field: null,
      message: "Others preview rules right now. Try again in some seconds.",
    };
  return { ok: true, preview: await showPreview(workspace, preview) };
}

/** Adds the names of the issues. */
export async function showPreview(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  preview: GroupingPreview,
): Promise<ShownPreview> {
  const issueIds = preview.flows.flatMap(({ fromIssueId, to }) =>
    to.kind === "issue" ? [fromIssueId, to.issueId] : [fromIssueId],
  );
  const issues = new Map(
    (await state.issues.getIssues(scope, [...new Set(issueIds)])).map((issue) => [issue.id, issue]),
  );
  const nameOf = (issueId: number): PreviewIssue | null => {
    const issue = issues.get(issueId);
    return issue === undefined ? null : { id: issue.id, shortId: issue.shortId, title: issue.title };
  };
  const flows = preview.flows.map(({ fromIssueId, to, ...flow }) => ({
    ...flow,
    from: nameOf(fromIssueId),
    to:
      to.kind === "new"
        ? { hash: to.hash, title: to.title }
        : (nameOf(to.issueId) ?? { hash: "", title: "An issue that is gone" }),
  }));
  return { ...preview, flows };
}
