import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { SavedView } from "../../domain/saved-view.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { loadCommandList } from "./load-command-list.ts";

const LIST_KEYS = ["ArrowDown", "ArrowUp", "Enter"];

/**
 * Leads anywhere after a few letters: to a section, a project, an issue by its words or short id, a release, an event by its id, or a
 * search. On the page of an issue it also runs the actions of the page.
 */
export function CommandPalette({
  projects,
  views,
  onClose,
  loadList = loadCommandList,
}: {
  projects: ReadonlyArray<{ slug: string; name: string }>;
  views: readonly SavedView[];
  onClose: () => void;
  /** It must be the same function on every render. */
  loadList?: typeof loadCommandList;
}) {
  const [text, setText] = useState("");
  // Read before the dialog takes the focus.
  const [focused] = useState(() => document.activeElement);
  const [List, setList] = useState<Awaited<ReturnType<typeof loadCommandList>> | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const earlyKeys = useRef<string[]>([]);
  const pressKey = useRef((key: string) => void earlyKeys.current.push(key));
  const listId = useId();

  useEffect(() => {
    let isGone = false;
    loadList().then(
      (loaded) => isGone || setList(() => loaded),
      () => isGone || setIsMissing(true),
    );
    return () => {
      isGone = true;
    };
  }, [loadList]);

  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter and arrows belong to it.
    if (event.nativeEvent.isComposing || !LIST_KEYS.includes(event.key)) return;
    event.preventDefault();
    pressKey.current(event.key);
  };

  return (
    <Dialog title="Go to" isTitleHidden onClose={onClose}>
      <input
        ref={field}
        role="combobox"
        aria-label="Go to a page, an issue, a project, a release or an event"
        aria-expanded="true"
        aria-controls={listId}
        className="palette-input"
        placeholder="Words of an issue, WEB-4F2, a project, a release, an id, an address …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Places and actions" className="palette-list">
        {List && (
          <List
            id={listId}
            field={field}
            text={text}
            earlyKeys={earlyKeys}
            pressKey={pressKey}
            projects={projects}
            views={views}
            focused={focused}
            onClose={onClose}
          />
        )}
      </div>
      {isMissing && (
        <p role="alert" className="px-4 pb-3 text-error text-sm">
          The list did not arrive. Close this, and try again when the server answers.
        </p>
      )}
    </Dialog>
  );
}
