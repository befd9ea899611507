import { Form, useFetcher } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { ChangeStatusResult } from "../issues/change-status.server.ts";
import { enumerate } from "../issues/list-in-words.ts";
import type { SimilarIssue, SimilarPage } from "./get-similar-page.server.ts";

/** Similar issues, with what they share, and a button that merges each into this one. */
export function SimilarList({ page: { issue, similar, comparedCount } }: { page: SimilarPage }) {
  const mayMerge = useMay("event:write");
  // The fetcher of the header, which shows the answer with its undo.
  const fetcher = useFetcher<ChangeStatusResult>({ key: `status of issue ${issue.id}` });
  return (
    <Panel
      title="Similar issues"
      description={`Compared with ${comparedCount === 1 ? "1 issue" : `${comparedCount} issues`} of the project that have its type, its culprit or one of its words.`}
      isFlush
    >
      {similar.length === 0 && <p className="p-4 text-muted text-sm">No issue of the project is like this one.</p>}
      <ul className="divide-y divide-line">
        {similar.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <span className="wrap-anywhere">
                <TextLink to={`/issues/${each.id}`} className="font-mono text-xs">
                  {each.shortId}
                </TextLink>{" "}
                {each.title}
              </span>
              <span className="wrap-anywhere text-muted text-xs">{sayShared(each)}</span>
            </div>
            <TextLink to={`/issues/${issue.id}/similar?with=${each.id}`}>Why not together?</TextLink>
            {mayMerge && (
              <fetcher.Form method="post" action={`/issues/${issue.id}`} className="flex flex-wrap gap-1">
                <input type="hidden" name="other" value={each.id} />
                <Button
                  type="submit"
                  name="intent"
                  value="merge-other"
                  size="sm"
                  aria-label={`Merge into ${issue.shortId}: ${each.shortId}`}
                >
                  Merge into {issue.shortId}
                </Button>
                <Button
                  type="submit"
                  name="intent"
                  value="merge-other-once"
                  size="sm"
                  variant="quiet"
                  aria-label={`Once, no rule: merge ${each.shortId} into ${issue.shortId}`}
                  data-tip="Stored events only. Later events are a new issue."
                >
                  Once, no rule
                </Button>
              </fetcher.Form>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A sentence like `42 events. Both have the type TypeError, the frames a and b, the words c and d.` */
function sayShared({ eventCount, shared }: SimilarIssue): string {
  const parts = [];
  if (shared.type !== null) parts.push(`the type ${shared.type}`);
  if (shared.frames.length > 0)
    parts.push(`${shared.frames.length === 1 ? "the frame" : "the frames"} ${enumerate(shared.frames, 4)}`);
  if (shared.words.length > 0)
    parts.push(`${shared.words.length === 1 ? "the word" : "the words"} ${enumerate(shared.words, 6)}`);
  return `${eventCount.toLocaleString("en")} event${eventCount === 1 ? "" : "s"}. Both have ${parts.join("; ")}.`;
}

/** A form to compare with any other issue or event. */
export function CompareForm({ asked, problem }: { asked: string; problem: string | null }) {
  return (
    <Form className="flex flex-wrap items-end gap-3">
      <TextField
        label="Another issue or event"
        hint="Short id, number, or id of an event."
        name="with"
        defaultValue={asked}
        error={problem}
        className="w-full max-w-80"
        required
      />
      <div className="pb-6">
        <Button type="submit">Why not together?</Button>
      </div>
    </Form>
  );
}
