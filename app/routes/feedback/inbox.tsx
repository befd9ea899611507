import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { data, Form, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { FEEDBACK_STATUSES } from "../../domain/feedback/feedback.ts";
import { changeFeedbackByForm } from "../../features/feedback/change-feedback.server.ts";
import { FeedbackDetail } from "../../features/feedback/feedback-detail.tsx";
import { FeedbackEmpty } from "../../features/feedback/feedback-empty.tsx";
import { parseFeedbackFilters, toFeedbackId, toFeedbackPath } from "../../features/feedback/feedback-filters.ts";
import { FeedbackList } from "../../features/feedback/feedback-list.tsx";
import { TAB_LABELS, toTitle } from "../../features/feedback/feedback-words.ts";
import { getFeedbackInbox, getOpenFeedback } from "../../features/feedback/get-feedback-page.server.ts";
import { useFeedbackKeys } from "../../features/feedback/use-feedback-keys.ts";
import { FilterForm, PlaceChoices } from "../../features/filters/filter-form.tsx";
import { useMay } from "../../features/frame/use-may.tsx";
import { SearchRefusal } from "../../features/search/search-refusal.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { ToastBar } from "../../ui/toast.tsx";
import type { Route } from "./+types/inbox.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const id = params.feedbackId === undefined ? null : toFeedbackId(params.feedbackId);
  const open = id === null ? null : await getOpenFeedback(workspace, id);
  if (params.feedbackId !== undefined && open === null) throw data("There is no such feedback.", { status: 404 });
  const filters = parseFeedbackFilters(url.searchParams);
  return { open, inbox: await getFeedbackInbox(workspace, { filters, now: Date.now() }) };
}

/** Resolves, marks or assigns feedback, or undoes that. The page shows the answer. */
export async function action({ context, request }: Route.ActionArgs) {
  const answer = await changeFeedbackByForm(context.get(workspaceContext), await request.formData(), Date.now());
  return answer.ok ? answer : data(answer, { status: answer.status });
}

export default function FeedbackPage({ loaderData, actionData }: Route.ComponentProps) {
  const { inbox, open } = loaderData;
  const [params] = useSearchParams();
  const filters = useMemo(() => parseFeedbackFilters(params), [params]);
  const openId = open?.id ?? null;
  const here = toFeedbackPath(filters, openId === null ? { before: filters.before } : { open: openId });
  const form = useRef<HTMLFormElement>(null);
  useFeedbackKeys({ form, here, openId });
  const { counts, feedback, nextBefore } = inbox;
  return (
    <div className="feedback-page" data-open={open !== null || undefined}>
      <PageHeader title="Feedback" />
      <FilterForm
        action="/feedback"
        className="flex flex-wrap items-center gap-2 pb-3"
        toPath={(fields) => toFeedbackPath(parseFeedbackFilters(fields), { open: null })}
      >
        <PlaceChoices
          filters={filters}
          projects={inbox.projects}
          environments={inbox.environments}
          toPath={(change) => toFeedbackPath(filters, change)}
        />
        {filters.tab !== "unresolved" && <input type="hidden" name="tab" value={filters.tab} />}
        <SearchInput label="Search feedback" placeholder="Part of a message, or is:unread" text={filters.search} />
      </FilterForm>
      {inbox.errors.length > 0 && <SearchRefusal id="feedback-refusal" search={filters.search} errors={inbox.errors} />}
      {inbox.problems.length > 0 && (
        <Notice tone="warning" className="mb-2">
          {inbox.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <TabLinks
        label="Feedback by status"
        tabs={FEEDBACK_STATUSES.map((tab) => ({
          to: toFeedbackPath(filters, { tab }),
          label: TAB_LABELS[tab],
          isCurrent: tab === filters.tab,
          count: tab === "unresolved" ? sayUnread(counts[tab]) : counts[tab].total.toLocaleString("en"),
        }))}
      />
      {actionData && <ChangeBar answer={actionData} here={here} />}
      <div className="feedback-panes">
        <div className="feedback-pane">
          {feedback.length === 0 ? (
            inbox.errors.length === 0 && <FeedbackEmpty inbox={inbox} filters={filters} />
          ) : (
            <Form ref={form} method="post" action={here} preventScrollReset onKeyDown={keepFromForm}>
              <BulkBar tab={filters.tab} />
              <FeedbackList feedback={feedback} filters={filters} openId={openId} />
            </Form>
          )}
          <Pagination
            previousTo={filters.before === null ? null : toFeedbackPath(filters, { before: null })}
            nextTo={nextBefore === null ? null : toFeedbackPath(filters, { before: nextBefore })}
          />
        </div>
        {open && <FeedbackDetail key={open.id} feedback={open} filters={filters} />}
      </div>
    </div>
  );
}

/** Without this, Enter on a check box would press the first button of the form. */
function keepFromForm(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Buttons for the selected feedback. The selection is the state of the check boxes, so the buttons work without script. */
function BulkBar({ tab }: { tab: (typeof FEEDBACK_STATUSES)[number] }) {
  const [isAll, setIsAll] = useState(false);
  if (!useMay("event:write")) return null;
  return (
    <div className="feedback-bulk">
      <Checkbox
        aria-label="Select all messages of this page"
        checked={isAll}
        autoComplete="off"
        className="with-script"
        onChange={({ currentTarget }) => {
          setIsAll(currentTarget.checked);
          for (const box of currentTarget.form?.querySelectorAll<HTMLInputElement>("input[name=feedback]") ?? [])
            box.checked = currentTarget.checked;
        }}
      />
      {tab === "unresolved" ? (
        <Button type="submit" size="sm" name="intent" value="resolve">
          Resolve
        </Button>
      ) : (
        <Button type="submit" size="sm" name="intent" value={tab === "spam" ? "not-spam" : "reopen"}>
          {tab === "spam" ? "Not spam" : "Reopen"}
        </Button>
      )}
      {tab !== "spam" && (
        <Button type="submit" size="sm" name="intent" value="spam">
          Spam
        </Button>
      )}
      <Button type="submit" size="sm" name="intent" value="read">
        Mark as read
      </Button>
    </div>
  );
}

function ChangeBar({ answer, here }: { answer: NonNullable<Route.ComponentProps["actionData"]>; here: string }) {
  return (
    <div role="status" className="py-2">
      <ToastBar message={answer.message} tone={answer.ok ? "done" : "failed"}>
        {answer.ok && answer.undo !== null && (
          <Form method="post" action={here} preventScrollReset>
            <input type="hidden" name="previous" value={answer.undo} />
            <Button type="submit" name="intent" value="undo" size="sm" variant="primary" data-shortcut="u">
              Undo
            </Button>
          </Form>
        )}
      </ToastBar>
    </div>
  );
}

function sayUnread({ total, unread }: { total: number; unread: number }): string {
  const all = total.toLocaleString("en");
  return unread === 0 ? all : `${all}, ${unread.toLocaleString("en")} unread`;
}

export function meta({ loaderData }: Route.MetaArgs) {
  const open = loaderData?.open;
  return [{ title: `${open ? `${toTitle(open)} · ` : ""}Feedback · Culprit` }];
}

export const handle = { section: "feedback" };
