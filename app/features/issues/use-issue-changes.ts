import { useEffect, useMemo, useRef } from "react";
import { useFetcher } from "react-router";
import { useToast } from "../../ui/toast.tsx";
import type { IssuesChangeAnswer } from "./change-issues.server.ts";
import { sayIssuesChange } from "./say-issues-change.ts";
import { ALL_MATCHING } from "./use-issue-selection.ts";

export type IssueIntent = "resolve" | "resolve-in-next-release" | "archive" | "reopen";

/** What to change: these issues, or every one that the filters of `path` match. */
export type IssueTarget = number[] | typeof ALL_MATCHING;

/**
 * Posts changes of status to the list at `path` in the background, and says what became of them, with an undo. `leavingIds`
 * are those that are being changed.
 */
export function useIssueChanges(
  path: string,
  onDone: () => void,
): { change: (intent: IssueIntent, target: IssueTarget) => void; leavingIds: ReadonlySet<number> } {
  const fetcher = useFetcher<IssuesChangeAnswer>({ key: "change-issues" });
  const showToast = useToast();
  const said = useRef<IssuesChangeAnswer | undefined>(fetcher.data);
  const { data: answer, state, formData, submit } = fetcher;

  const post = (fields: URLSearchParams) =>
    void submit(fields, { method: "post", action: path, preventScrollReset: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is said once
  useEffect(() => {
    if (state !== "idle" || !answer || said.current === answer) return;
    said.current = answer;
    const undo = answer.ok && answer.kind === "status" ? answer.undo : null;
    showToast({
      message: sayIssuesChange(answer),
      tone: answer.ok ? "done" : "failed",
      ...(undo && {
        action: { label: "Undo", onSelect: () => post(new URLSearchParams({ intent: "undo", previous: undo })) },
      }),
    });
    if (answer.ok) onDone();
  }, [state, answer]);

  const leavingIds = useMemo(() => {
    const isLeaving = state === "submitting" && formData?.get("intent") !== "undo";
    return new Set(isLeaving ? formData?.getAll("issue").map(Number) : []);
  }, [state, formData]);

  return {
    leavingIds,
    change: (intent, target) => {
      const fields = new URLSearchParams({ intent });
      if (target === ALL_MATCHING) fields.set("scope", ALL_MATCHING);
      else for (const id of target) fields.append("issue", String(id));
      post(fields);
    },
  };
}
