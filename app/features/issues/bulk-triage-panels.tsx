import { Bell, BellOff, Bookmark, Eye, EyeOff, GitCommitHorizontal, PackageCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { PRIORITIES } from "../../domain/issues/priority.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import { Button } from "../../ui/button.tsx";
import { useMay } from "../frame/use-may.tsx";
import { AssigneeList } from "./assignee-list.tsx";
import { CommitFields } from "./commit-fields.tsx";
import { PriorityBars } from "./priority-sign.tsx";
import { SnoozeChoices, SnoozeUntilFields, SnoozeWords } from "./snooze-options.tsx";
import { SuggestedAssignees } from "./suggested-assignees.tsx";
import { PRIORITY_LABELS } from "./triage-words.ts";

const toField = (value: string) => ({ name: "intent", value: `assign:${value}` });

/** The ids of the selected issues, separated by commas. Empty if all that match are meant. */
function useSelected(form: string): string {
  const [selected, setSelected] = useState("");
  useEffect(() => {
    const element = document.getElementById(form);
    const fields = element instanceof HTMLFormElement ? new FormData(element) : new FormData();
    setSelected(fields.has("scope") ? "" : fields.getAll("issue").join());
  }, [form]);
  return selected;
}

/** Chooses the assignee of the selected issues. Its buttons belong to the list's form, wherever the panel is drawn. */
export function AssignPanel({ form }: { form: string }) {
  const selected = useSelected(form);
  const [assignees, setAssignees] = useState<readonly Assignee[] | "failed" | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    fetch("/assignees", { signal: ending.signal, headers: { accept: "application/json" } })
      .then(async (answer) => setAssignees(answer.ok ? ((await answer.json()) as Assignee[]) : "failed"))
      .catch(() => ending.signal.aborted || setAssignees("failed"));
    return () => ending.abort();
  }, []);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The panel itself has the focus as long as it has no content.
    if (assignees !== null && document.activeElement?.contains(panel.current))
      panel.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [assignees]);
  if (assignees === "failed") return <p className="text-sm">The list of people could not be loaded. Try again.</p>;
  if (assignees === null) return <p className="text-muted text-sm">Loading…</p>;
  return (
    <div ref={panel} className="w-64 max-w-full">
      <SuggestedAssignees issueIds={selected} form={form} button={toField} />
      <AssigneeList assignees={assignees} form={form} button={toField} />
    </div>
  );
}

export function PriorityPanel({ form }: { form: string }) {
  return (
    <div className="grid w-56 max-w-full gap-1 text-sm">
      {PRIORITIES.map((each) => (
        <button key={each} type="submit" form={form} name="intent" value={`priority:${each}`} className="menu-item">
          <PriorityBars priority={each} />
          {PRIORITY_LABELS[each]}
        </button>
      ))}
      <button type="submit" form={form} name="intent" value="priority:auto" className="menu-item">
        By level and frequency
      </button>
    </div>
  );
}

/** The address for changes that concern only the reader. Every role may make those. Its search says which issues the list finds. */
function useReaderAction(): string {
  const { search } = useLocation();
  return `/issues/mine${search}`;
}

/** The rarer actions. */
export function MorePanel({ form }: { form: string }) {
  const readerAction = useReaderAction();
  const mayChange = useMay("event:write");
  const ofReader = (intent: string, icon: ReactNode, label: string) => (
    <button type="submit" form={form} formAction={readerAction} name="intent" value={intent} className="menu-item">
      {icon}
      {label}
    </button>
  );
  return (
    <div className="grid w-64 max-w-full gap-3 text-sm">
      <div className="grid gap-1">
        {ofReader("subscribe", <Bell aria-hidden="true" />, "Subscribe")}
        {ofReader("unsubscribe", <BellOff aria-hidden="true" />, "Unsubscribe")}
        {ofReader("bookmark", <Bookmark aria-hidden="true" fill="currentColor" />, "Bookmark")}
        {ofReader("unbookmark", <Bookmark aria-hidden="true" />, "Remove bookmark")}
        {ofReader("seen", <Eye aria-hidden="true" />, "Mark as seen")}
        {ofReader("unseen", <EyeOff aria-hidden="true" />, "Mark as not seen")}
      </div>
      {mayChange && (
        <>
          <div className="grid gap-1 border-line border-t pt-3">
            <button type="submit" form={form} name="intent" value="resolve-in-latest-release" className="menu-item">
              <PackageCheck aria-hidden="true" />
              Fixed in the current release
            </button>
          </div>
          <div className="grid gap-2 border-line border-t pt-3">
            <CommitFields repositories={[]} form={form} />
            <div>
              <Button
                type="submit"
                form={form}
                name="intent"
                value="resolve-in-commit"
                size="sm"
                icon={<GitCommitHorizontal aria-hidden="true" />}
              >
                Fixed by this commit
              </Button>
            </div>
          </div>
        </>
      )}
    </div>
  );
}

/** Snoozes the selected issues for the reader. */
export function SnoozePanel({ form }: { form: string }) {
  const formAction = useReaderAction();
  return (
    <div className="grid w-64 max-w-full gap-3 text-sm">
      <div className="grid gap-1">
        <SnoozeChoices form={form} button={(name) => ({ name: "intent", value: `snooze-${name}`, formAction })} />
      </div>
      <div className="grid gap-2 border-line border-t pt-3">
        <SnoozeUntilFields form={form} button={{ name: "intent", value: "snooze-until", formAction }} />
      </div>
      <SnoozeWords />
    </div>
  );
}
