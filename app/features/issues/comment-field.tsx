import { useId, useRef, useState } from "react";
import { MAX_COMMENT_LENGTH } from "../../domain/issues/comment.ts";
import { type Assignee, toAssigneeName, toAssigneeText } from "../../domain/issues/triage.ts";
import { Textarea } from "../../ui/field.tsx";
import { AssigneeMark } from "./assignee-name.tsx";
import { findMentionDraft, listMentionOffers, type MentionDraft, toMention } from "./comment-mention.ts";

/**
 * The text field of a comment. After an `@` or a `#`, it offers the people and teams who can be mentioned. Arrow keys mark one;
 * Enter and Tab take it.
 */
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
  /** The `data-focus` of the field: the key that focuses it. */
  shortcut?: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [draft, setDraft] = useState<MentionDraft | null>(null);
  const [marked, setMarked] = useState(0);
  const offered = listMentionOffers(draft, people);
  const note = () => {
    const { value, selectionStart } = field.current as HTMLTextAreaElement;
    setDraft(findMentionDraft(value.slice(0, selectionStart)));
    setMarked(0);
  };
  const mention = (assignee: Assignee) => {
    const element = field.current;
    if (!element || draft === null) return;
    const end = element.selectionStart;
    element.setRangeText(`${toMention(assignee)} `, end - draft.letters.length - 1, end, "end");
    element.focus();
    setDraft(null);
  };
  /** Handles keys that choose from the offers. True: the key was used. */
  const choose = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean => {
    const count = offered.length;
    const one = offered[marked];
    if (one === undefined) return false;
    if (key === "ArrowDown") setMarked((marked + 1) % count);
    else if (key === "ArrowUp") setMarked((marked + count - 1) % count);
    else if (key === "Escape") setDraft(null);
    else if ((key === "Enter" || key === "Tab") && !shiftKey) mention(one);
    else return false;
    return true;
  };
  return (
    <div className="grid gap-1">
      <Textarea
        ref={field}
        name="text"
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-autocomplete="list"
        aria-controls={`${id}-offer`}
        aria-activedescendant={offered.length > 0 ? `${id}-${marked}` : undefined}
        placeholder={label}
        rows={rows}
        required
        maxLength={MAX_COMMENT_LENGTH}
        defaultValue={text}
        autoComplete="off"
        data-focus={shortcut}
        onInput={note}
        onBlur={() => setDraft(null)}
        onKeyDown={(event) => {
          const hasMod = event.ctrlKey || event.metaKey;
          if (!hasMod && !event.nativeEvent.isComposing && choose(event)) {
            event.preventDefault();
            return;
          }
          // Ctrl or Cmd with Enter sends, as in other tools.
          if (event.key === "Enter" && hasMod) event.currentTarget.form?.requestSubmit();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <div
        role="listbox"
        id={`${id}-offer`}
        className="comment-offer"
        aria-label="People to mention"
        hidden={offered.length === 0}
      >
        {offered.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys
          <div
            key={toAssigneeText(each)}
            role="option"
            tabIndex={-1}
            id={`${id}-${index}`}
            aria-selected={index === marked}
            data-highlighted={index === marked || undefined}
            className="menu-item"
            // Keeps the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => mention(each)}
          >
            <AssigneeMark assignee={each} />
            {toAssigneeName(each)}
          </div>
        ))}
      </div>
      <span id={`${id}-hint`} className="text-faint text-xs">
        Markdown. @ mentions people, # teams.
      </span>
    </div>
  );
}
