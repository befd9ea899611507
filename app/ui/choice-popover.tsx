import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link, useNavigation } from "react-router";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Input, selectClassNames } from "./field.tsx";

export interface Choice {
  value: string;
  label: string;
}

/** With fewer choices there is no filter, because all are seen at a glance. */
const MIN_FILTERED = 6;
/** If the names are longer than this, the button shows their number instead. Characters. */
const MAX_NAMED_LENGTH = 28;

/**
 * A choice of any number of things, or all. A button says what is chosen, and opens check boxes that belong to the form around it. The
 * panel is a native popover with real check boxes, so it also works without script.
 */
export function ChoicePopover({
  name,
  label,
  noun,
  none,
  chosen,
  isAsked = false,
  options,
  toPath,
  onOpen,
}: {
  /** The name of the form's field, which is sent once for each chosen value. */
  name: string;
  label: string;
  /** The word for the things, in the plural and in lower case: `projects`. */
  noun: string;
  /** The text of the button if nothing is chosen, which means all. */
  none: string;
  /** The chosen values. Empty: all. */
  chosen: readonly string[];
  /** True if the page for the last press has not come yet, so `chosen` is that of an earlier page. */
  isAsked?: boolean;
  options: readonly Choice[];
  /** The address of the page with these values chosen, for links that choose one or none. */
  toPath: (chosen: string[]) => string;
  onOpen?: () => void;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState("");
  const known = new Set(options.map(({ value }) => value));
  const unknown = chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }));
  const all = [...unknown, ...options];
  const words = filter.trim().toLowerCase();
  const isShown = (choice: Choice) => `${choice.label} ${choice.value}`.toLowerCase().includes(words);
  const hasFilter = all.length >= MIN_FILTERED;

  // The boxes belong to the form. They keep what is pressed while a page is on its way, and follow the page when it has come.
  const chosenKey = chosen.join("\n");
  const isOnTheWay = useNavigation().state !== "idle" || isAsked;
  // This happens together with the drawing of the page. If it came later, a box that is pressed in between would be reset.
  useLayoutEffect(() => {
    // The page that came may be older than the last press.
    if (isOnTheWay) return;
    const values = chosenKey.split("\n");
    for (const box of boxesOf(panel.current)) box.checked = values.includes(box.value);
  }, [chosenKey, isOnTheWay]);

  // The browser moves the focus when it opens the panel, before the next key, so people can type on. On a phone the keyboard would cover
  // the list.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) panel.current?.querySelector("input")?.setAttribute("autofocus", "");
  });

  const close = () => panel.current?.hidePopover();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      // Enter would submit the form, which has the choice already.
      if (event.target.type === "checkbox") close();
      else step(1);
    } else return;
    event.preventDefault();
  };
  const step = (by: 1 | -1) => {
    const shown = boxesOf(panel.current).filter((box) => box.checkVisibility());
    const at = shown.findIndex((box) => box.closest("li")?.contains(document.activeElement));
    shown[at < 0 ? 0 : Math.max(0, Math.min(at + by, shown.length - 1))]?.focus();
  };

  return (
    <div className="choice">
      <button type="button" popoverTarget={id} className={classNames(selectClassNames(), "choice-button")}>
        <span className="sr-only">{label}: </span>
        {chosen.length === 0 ? none : sayChosen(all, chosen, noun)}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a panel in every browser */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className="choice-panel overlay-panel"
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState === "open") onOpen?.();
          else setFilter("");
        }}
      >
        {hasFilter && (
          <div className="choice-filter">
            <Input
              type="search"
              controlSize="sm"
              aria-label={`Find ${noun}`}
              placeholder={`Find ${noun}`}
              autoComplete="off"
              spellCheck={false}
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          </div>
        )}
        <ul className="choice-list">
          {all.map((choice) => (
            <li key={choice.value} className="choice-option" hidden={!isShown(choice)}>
              <label>
                <input
                  type="checkbox"
                  className="checkbox"
                  name={name}
                  value={choice.value}
                  defaultChecked={chosen.includes(choice.value)}
                  autoComplete="off"
                />
                <span className="choice-label">{choice.label}</span>
              </label>
              <Link to={toPath([choice.value])} className="choice-only" onClick={close}>
                Only<span className="sr-only"> {choice.label}</span>
              </Link>
            </li>
          ))}
        </ul>
        {!all.some(isShown) && (
          <p className="choice-none" role="status">
            {all.length === 0 ? `There are no ${noun} yet.` : `No ${noun} are called so.`}
          </p>
        )}
        {all.length > 0 && (
          <div className="choice-foot">
            <Button type="submit" size="sm" className="without-script">
              Apply
            </Button>
            <Link to={toPath([])} className="choice-clear" onClick={close}>
              {none}
            </Link>
          </div>
        )}
      </div>
    </div>
  );
}

function boxesOf(panel: HTMLElement | null): HTMLInputElement[] {
  return [...(panel?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [])];
}

/** The chosen values in words: `web, api`, or `3 projects` if that is too long. */
function sayChosen(options: readonly Choice[], chosen: readonly string[], noun: string): string {
  const names = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value);
  const said = names.join(", ");
  return names.length === 1 || (names.length === 2 && said.length <= MAX_NAMED_LENGTH)
    ? said
    : `${names.length} ${noun}`;
}
