import { ChevronDown, UserRound } from "lucide-react";
import type { FetcherWithComponents } from "react-router";
import type { Issue } from "../../domain/issue.ts";
import { explainPriority, PRIORITIES } from "../../domain/issues/priority.ts";
import { type Assignee, isSameAssignee, toAssigneeName } from "../../domain/issues/triage.ts";
import { Button } from "../../ui/button.tsx";
import { useKeptFocus } from "../../ui/kept-focus.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useMay } from "../frame/use-may.tsx";
import { useReader } from "../frame/use-reader.tsx";
import { AssigneeList } from "./assignee-list.tsx";
import { AssigneeMark, AssigneeName } from "./assignee-name.tsx";
import type { ChangeStatusResult } from "./change-status.server.ts";
import { PriorityBars, PrioritySign } from "./priority-sign.tsx";
import { SuggestedAssignees } from "./suggested-assignees.tsx";
import { PRIORITY_LABELS } from "./triage-words.ts";

type TriageFetcher = FetcherWithComponents<ChangeStatusResult>;

/** The assignee and the priority of the issue, with controls to change both. */
export function IssueTriage({
  issue,
  assignees,
  fetcher,
}: {
  issue: Issue;
  assignees: readonly Assignee[];
  fetcher: TriageFetcher;
}) {
  const mayChange = useMay("event:write");
  // "Assign to me" disappears once it is done. The focus then moves to the assignee before it, which can be changed next.
  const choices = useKeptFocus<HTMLDivElement>((element) => element.querySelector("[data-shortcut='Shift+a']"));
  const { assignee, priority, isPrioritySet } = issue;
  if (!mayChange) {
    return (
      <div className="issue-triage">
        <PrioritySign priority={priority} isSet={isPrioritySet} />
        {assignee ? <AssigneeName assignee={assignee} /> : <span>Nobody is assigned</span>}
      </div>
    );
  }
  return (
    <div ref={choices} className="issue-triage">
      <PriorityChoice issue={issue} form={fetcher.Form} />
      <AssigneeChoice issue={issue} assignees={assignees} form={fetcher.Form} />
      <AssignToMe issue={issue} form={fetcher.Form} />
    </div>
  );
}

function PriorityChoice({ issue, form: Form }: { issue: Issue; form: TriageFetcher["Form"] }) {
  const { id, priority, isPrioritySet } = issue;
  return (
    <Popover
      label="Priority"
      shortcut="p"
      align="end"
      trigger={
        <>
          <PriorityBars priority={priority} />
          <span className="sr-only">Priority: </span>
          {PRIORITY_LABELS[priority]}
          <ChevronDown aria-hidden="true" />
        </>
      }
    >
      <div className="grid w-64 max-w-full gap-2 text-sm">
        <Form method="post" action={`/issues/${id}`} className="grid gap-1">
          <input type="hidden" name="intent" value="priority" />
          {PRIORITIES.map((each) => (
            <button
              key={each}
              type="submit"
              name="priority"
              value={each}
              className="menu-item"
              aria-current={(isPrioritySet && each === priority) || undefined}
            >
              <PriorityBars priority={each} />
              {PRIORITY_LABELS[each]}
            </button>
          ))}
          <button
            type="submit"
            name="priority"
            value="auto"
            className="menu-item"
            aria-current={!isPrioritySet || undefined}
          >
            By level and frequency
          </button>
        </Form>
        <p className="border-line border-t pt-2 text-muted text-xs">
          {isPrioritySet
            ? "Somebody set it by hand, so it stays. "
            : `${PRIORITY_LABELS[priority]}, by level and frequency. `}
          {explainPriority(issue)}
        </p>
      </div>
    </Popover>
  );
}

function AssigneeChoice({
  issue: { id, assignee },
  assignees,
  form: Form,
}: {
  issue: Issue;
  assignees: readonly Assignee[];
  form: TriageFetcher["Form"];
}) {
  return (
    <Popover
      label="Assignee"
      shortcut="Shift+a"
      align="end"
      trigger={
        <>
          {assignee ? <AssigneeMark assignee={assignee} /> : <UserRound aria-hidden="true" />}
          <span className="sr-only">Assignee: </span>
          <bdi className="assignee-name">{assignee ? toAssigneeName(assignee) : "Unassigned"}</bdi>
          <ChevronDown aria-hidden="true" />
        </>
      }
    >
      <Form method="post" action={`/issues/${id}`} className="grid w-64 max-w-full">
        <input type="hidden" name="intent" value="assign" />
        <SuggestedAssignees issueIds={String(id)} current={assignee} button={(value) => ({ name: "to", value })} />
        <AssigneeList assignees={assignees} current={assignee} button={(value) => ({ name: "to", value })} />
      </Form>
    </Popover>
  );
}

/** The button for the key `a`. It is hidden, but still works, if somebody else has the issue. */
function AssignToMe({ issue: { id, assignee }, form: Form }: { issue: Issue; form: TriageFetcher["Form"] }) {
  const reader = useReader();
  if (reader === null || isSameAssignee(assignee, { kind: "user", id: reader.id })) return null;
  return (
    <Form method="post" action={`/issues/${id}`} hidden={assignee !== null} className="max-sm:hidden">
      <input type="hidden" name="intent" value="assign" />
      <Button type="submit" name="to" value="me" variant="quiet" data-shortcut="a">
        Assign to me
      </Button>
    </Form>
  );
}
