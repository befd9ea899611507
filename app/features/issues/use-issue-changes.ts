import { useMemo, useRef, useState } from "react";
import { useSubmit } from "react-router";
import type { SNOOZE_CHOICES } from "../../domain/issues/snooze.ts";
import { useToast } from "../../ui/toast.tsx";
import type { ARCHIVE_CHOICES } from "./archive-choices.ts";
import type { SaidChange } from "./say-issues-change.server.ts";
import { ALL_MATCHING } from "./use-issue-selection.ts";

export type IssueIntent =
  | "resolve"
  | "resolve-in-next-release"
  | "archive"
  | `archive-${(typeof ARCHIVE_CHOICES)[number]["name"]}`
  | "archive-escalates"
  | "archive-until"
  | "archive-count"
  | `snooze-${(typeof SNOOZE_CHOICES)[number]["name"] | "until"}`
  | "reopen"
  | `assign:${string}`
  | `priority:${string}`
  | "delete";

/** The issues to change: these ids, or all that the filters of `path` match. */
export type IssueTarget = number[] | typeof ALL_MATCHING;

/** A posted change whose answer and fresh rows have not arrived yet. */
export interface PostedChange {
  fetcherKey: string;
  /** The address that it was posted to. Its undo is posted there, too. */
  path: string;
  /** Null: the change is an undo. */
  target: IssueTarget | null;
}

export interface IssueChanges {
  /** `form`: the fields of an intent like `archive-until`. `to`: the address to post to, if it is not the list. */
  change: (intent: IssueIntent, target: IssueTarget, form?: FormData, to?: string | null) => void;
  /** Issues whose status is being changed. */
  leavingIds: ReadonlySet<number>;
  posted: readonly PostedChange[];
  onAnswer: (posted: PostedChange, answer: SaidChange | null) => void;
  /** Undoes the last posted change as soon as its previous values are known. False: no change is under way. */
  undoPending: () => boolean;
}

let postedCount = 0;

/**
 * Posts changes of status to the list at `path` in the background, and announces their results with an undo. Each change has its
 * own fetcher, which an `IssuesChangeListener` listens to: a second submission of one fetcher cancels the first, which may not have
 * reached the server yet.
 */
export function useIssueChanges(path: string, onDone: (target: IssueTarget) => void): IssueChanges {
  const submit = useSubmit();
  const showToast = useToast();
  const [posted, setPosted] = useState<readonly PostedChange[]>([]);
  /** Keys of fetchers whose change is to be undone once it is made. */
  const regretted = useRef(new Set<string>());
  const leavingIds = useMemo(
    () => new Set(posted.flatMap(({ target }) => (target === null || target === ALL_MATCHING ? [] : target))),
    [posted],
  );

  const post = (fields: URLSearchParams, target: IssueTarget | null, to: string) => {
    const fetcherKey = `change-issues ${postedCount++}`;
    setPosted((before) => [...before, { fetcherKey, path: to, target }]);
    void submit(fields, { method: "post", action: to, preventScrollReset: true, navigate: false, fetcherKey });
  };

  return {
    leavingIds,
    posted,
    change: (intent, target, form, to) => {
      const fields = new URLSearchParams({ intent });
      // An issue that is being changed is not changed again.
      const ids = target === ALL_MATCHING ? [] : target.filter((id) => !leavingIds.has(id));
      if (target === ALL_MATCHING) fields.set("scope", ALL_MATCHING);
      else if (target.length > 0 && ids.length === 0) return;
      for (const id of ids) fields.append("issue", String(id));
      for (const [name, value] of form ?? [])
        if (!/^(intent|issue|scope)$/.test(name)) fields.append(name, String(value));
      post(fields, target === ALL_MATCHING ? target : ids, to ?? path);
    },
    onAnswer: (change, answer) => {
      setPosted((before) => before.filter(({ fetcherKey }) => fetcherKey !== change.fetcherKey));
      if (answer === null) return void regretted.current.delete(change.fetcherKey);
      const { undo } = answer;
      const putBack = (previous: string) => post(new URLSearchParams({ intent: "undo", previous }), null, change.path);
      if (answer.ok && change.target !== null) onDone(change.target);
      if (regretted.current.delete(change.fetcherKey) && undo !== null) return putBack(undo);
      showToast({
        message: answer.message,
        tone: answer.ok ? "done" : "failed",
        ...(undo && { action: { label: "Undo", onSelect: () => putBack(undo) } }),
      });
    },
    undoPending: () => {
      const last = posted.findLast(({ target }) => target !== null);
      if (last) regretted.current.add(last.fetcherKey);
      return last !== undefined;
    },
  };
}
