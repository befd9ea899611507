import { Form } from "react-router";
import { USER_FIELDS, type UserField } from "../../domain/named-user.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toOptions } from "../../ui/options.tsx";
import type { UserDataPreview } from "./delete-user-data.server.ts";
import { sayCount, USER_FIELD_WORDS } from "./deletion-words.ts";

export interface UserDataQuestion {
  field: UserField;
  /** The typed value. Empty: nothing was asked yet. */
  value: string;
  /** The slug of the project. Empty: all projects. */
  project: string;
  error: { field: string; message: string } | null;
  preview: UserDataPreview | null;
  /** Whether too many others ask at the same time. */
  isBusy: boolean;
}

/** Names a user, shows what would be deleted, and deletes it after a question. */
export function UserDataPanel({
  question,
  projects,
}: {
  question: UserDataQuestion;
  projects: ReadonlyArray<{ slug: string; name: string }>;
}) {
  const { field: named, value, project, error, preview, isBusy } = question;
  const field = toFieldOf(error);
  return (
    <Panel title="Delete all that one user sent">
      <div className="grid gap-4">
        <p className="max-w-prose text-muted text-sm">
          Name the user as your application does. Errors, transactions, sessions, feedback, replays and logs of theirs
          are found by what they say of their user. Nothing is deleted before you confirm.
        </p>
        <Form
          key={`${named} ${value} ${project}`}
          className="grid max-w-form items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]"
          aria-label="Find what a user sent"
        >
          <SelectField label="Named by" {...field("field", named)}>
            {toOptions(USER_FIELDS, (each) => [each, USER_FIELD_WORDS[each].label])}
          </SelectField>
          <CodeField label="User" {...field("value", value)} required hint="Like 42, ann@example.com or 203.0.113.7" />
          <SelectField className="sm:col-span-2" label="Project" {...field("project", project)}>
            <option value="">All projects</option>
            {toOptions(projects, ({ slug, name }) => [slug, name])}
          </SelectField>
          <div>
            <Button type="submit">Show what would go</Button>
          </div>
        </Form>
        {isBusy && (
          <Notice tone="warning" title="Others are looking for a user just now. Ask again in a few seconds." />
        )}
        {preview && <Preview question={question} preview={preview} />}
      </div>
    </Panel>
  );
}

function Preview({ question, preview }: { question: UserDataQuestion; preview: UserDataPreview }) {
  const { field, value, project } = question;
  const { projects, isWhole, readRows, totalRows } = preview;
  const name = <bdi className="break-all font-mono">{value}</bdi>;
  if (projects.length === 0 && isWhole) {
    return (
      <Notice tone="info" title="Nothing is stored of this user">
        <p>
          No event or item names {name} as its {USER_FIELD_WORDS[field].noun}.
        </p>
      </Notice>
    );
  }
  return (
    <section className="grid gap-3" aria-label="What would go">
      <p className="text-sm">
        {isWhole ? "What is stored of" : "What was found so far of"} {name}:
      </p>
      {projects.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line text-sm" aria-label="Projects">
          {projects.map(({ slug, events, items }) => (
            <li key={slug} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
              <span className="font-mono">{slug}</span>
              <span>
                {sayCount(events, "event")}, {sayCount(items, "other item")}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!isWhole && (
        <Notice tone="warning" title="There may be more">
          <p>
            {readRows.toLocaleString("en")} of {totalRows.toLocaleString("en")} events and items were looked through in
            three seconds. The deletion looks through all of them.
          </p>
        </Notice>
      )}
      <div>
        <ConfirmDialog
          title={`Delete all that ${value} sent?`}
          trigger={{ variant: "danger", children: "Delete all of it…" }}
          explanation={
            <>
              <p>
                Everything that names {name} as its {USER_FIELD_WORDS[field].noun}
                {project === "" ? " in all projects" : ` in ${project}`} goes, with what belongs to it. Issues without
                another event go, too.
              </p>
              <p>
                It leaves the pages as it is found, and the payload files within a day. What this user sends from now on
                is stored as before. This cannot be undone.
              </p>
            </>
          }
        >
          <ButtonForm fields={{ field, value, project }} name="intent" value="delete-user" variant="danger">
            Delete
          </ButtonForm>
        </ConfirmDialog>
      </div>
    </section>
  );
}
