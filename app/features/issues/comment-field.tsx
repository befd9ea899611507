import { useId, useRef, useState } from "react";
import { MAX_COMMENT_LENGTH } from "../../domain/issues/comment.ts";
import { type Assignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { Textarea } from "../../ui/field.tsx";
import { AssigneeMark } from "./assignee-name.tsx";

const MAX_OFFERED = 5;

/** The text of a comment. After an `@`, it offers the people and teams who can be mentioned: Tab goes to them. */
export function CommentField({
  label,
  people,
  text = "",
  rows = 3,
  shortcut,
}: {
  label: string;
  people: readonly Assignee[];
  text?: string;
  rows?: number;
  /** The key that leads to it: its `data-focus`. */
  shortcut?: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  const [letters, setLetters] = useState<string | null>(null);
  const words = letters?.toLowerCase() ?? "";
  const offered =
    letters === null
      ? []
      : people
          .filter((each) => `${each.name} ${toAssigneeName(each)}`.toLowerCase().includes(words))
          .slice(0, MAX_OFFERED);
  const note = () => {
    const { value, selectionStart } = field.current as HTMLTextAreaElement;
    setLetters(/(?:^|[\s(])@([^\s@]{0,40}(?: [^\s@]{0,40})?)$/u.exec(value.slice(0, selectionStart))?.[1] ?? null);
  };
  const mention = (name: string) => {
    const element = field.current;
    if (!element || letters === null) return;
    const end = element.selectionStart;
    element.setRangeText(`${name} `, end - letters.length - 1, end, "end");
    element.focus();
    setLetters(null);
  };
  return (
    <div className="grid gap-1">
      <Textarea
        ref={field}
        name="text"
        aria-label={label}
        aria-describedby={hintId}
        placeholder={label}
        rows={rows}
        required
        maxLength={MAX_COMMENT_LENGTH}
        defaultValue={text}
        autoComplete="off"
        data-focus={shortcut}
        onInput={note}
        onKeyDown={(event) => {
          // As in other tools: the key that sends.
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          if (event.key === "Escape") {
            setLetters(null);
            event.currentTarget.blur();
          }
        }}
      />
      <ul className="comment-offer" aria-label="People to mention" hidden={offered.length === 0}>
        {offered.map((each) => (
          <li key={toAssigneeText(each)}>
            <button
              type="button"
              className="menu-item"
              onClick={() => mention(each.kind === "team" ? `#${each.slug}` : `@${each.name}`)}
            >
              <AssigneeMark assignee={each} />
              {toAssigneeName(each)}
            </button>
          </li>
        ))}
      </ul>
      <span id={hintId} className="text-faint text-xs">
        Markdown. @ mentions people, # teams.
      </span>
    </div>
  );
}
