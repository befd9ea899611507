import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type MouseEvent, useEffect, useId, useRef } from "react";
import { type CodeMapping, MAX_CODE_MAPPINGS } from "../../domain/code-mapping.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { type RowChange, toRowIntent } from "./source-link-draft.ts";

const STACK_ROOT = "Paths in stacks that begin with";
const SOURCE_ROOT = "are in the folder of the repository";

/**
 * Rows that map paths of stacks to folders of the repository, in the order in which they are tried. Without script each button
 * posts the form, and the page shows it again with changed rows.
 */
export function CodeMappingRows({
  slug,
  rows,
  onType,
  onChange,
  errorOf,
}: {
  slug: string;
  rows: readonly CodeMapping[];
  onType: (index: number, row: CodeMapping) => void;
  onChange: (change: RowChange) => void;
  errorOf: (field: string) => string | null;
}) {
  const hintId = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  /** Selector of the control to focus after the rows were rendered: the control that was pressed may have moved, or be gone. */
  const nextFocus = useRef<string>(null);
  useEffect(() => {
    if (nextFocus.current === null) return;
    list.current?.querySelector<HTMLElement>(nextFocus.current)?.focus();
    nextFocus.current = null;
  });
  const button = (change: RowChange, focus: string) => ({
    type: "submit" as const,
    name: "intent",
    value: toRowIntent(change),
    // Without the fragment, the answer to a post without script would show the top of its page.
    formAction: `/projects/${slug}/settings#source-links`,
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      nextFocus.current = focus;
      onChange(change);
    },
  });
  const isFull = rows.length >= MAX_CODE_MAPPINGS;
  return (
    <fieldset ref={list} aria-describedby={hintId} className="grid min-w-0 gap-2">
      <legend className="pb-1.5 font-semibold text-sm">Paths</legend>
      <p id={hintId} className="max-w-prose text-muted text-xs">
        {rows.length === 0
          ? "Taken as stacks name them, from the root of the repository. Paths of a machine, like /srv/app/src/cart.ts, need a row that says where they are in it."
          : "The first row that fits is taken; a path that none fits gets no link. The left field may be empty, for any path that is not one of a machine; / on the right is the root of the repository."}
      </p>
      {rows.length > 0 && (
        <div
          aria-hidden="true"
          className="hidden grid-cols-[1rem_minmax(0,1fr)_minmax(0,1fr)_6.5rem] gap-2 text-xs sm:grid"
        >
          <span />
          <span>{STACK_ROOT}</span>
          <span>{SOURCE_ROOT}</span>
        </div>
      )}
      <ol className="grid gap-3 empty:hidden sm:gap-2">
        {rows.map((row, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is in the rows, and the focus is set by place
            key={index}
            data-row={index}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 sm:grid-cols-[1rem_minmax(0,1fr)_minmax(0,1fr)_6.5rem]"
          >
            <span aria-hidden="true" className="hidden self-center text-muted text-xs tabular sm:block">
              {index + 1}
            </span>
            <RootInput
              name="stackRoot"
              words={STACK_ROOT}
              index={index}
              value={row.stackRoot}
              placeholder={row.sourceRoot === "" ? "/srv/app" : "any path"}
              error={errorOf(`stackRoot:${index}`)}
              onType={(stackRoot) => onType(index, { ...row, stackRoot })}
              className="col-span-2 sm:col-span-1"
            />
            <RootInput
              name="sourceRoot"
              words={SOURCE_ROOT}
              index={index}
              value={row.sourceRoot}
              placeholder={row.stackRoot === "" ? "packages/web" : "/"}
              error={errorOf(`sourceRoot:${index}`)}
              onType={(sourceRoot) => onType(index, { ...row, sourceRoot })}
              className="col-span-2 sm:col-span-1"
            />
            <span className="col-span-2 flex justify-end sm:col-span-1 sm:justify-start">
              <IconButton
                {...button(
                  { kind: "up", index },
                  `[data-row="${index - 1}"] [data-move="${index === 1 ? "down" : "up"}"]`,
                )}
                data-move="up"
                label={`Try row ${index + 1} earlier`}
                icon={<ArrowUp aria-hidden="true" />}
                disabled={index === 0}
              />
              <IconButton
                {...button(
                  { kind: "down", index },
                  `[data-row="${index + 1}"] [data-move="${index === rows.length - 2 ? "up" : "down"}"]`,
                )}
                data-move="down"
                label={`Try row ${index + 1} later`}
                icon={<ArrowDown aria-hidden="true" />}
                disabled={index === rows.length - 1}
              />
              <IconButton
                {...button(
                  { kind: "remove", index },
                  rows.length === 1
                    ? "[data-add]"
                    : `[data-row="${Math.min(index, rows.length - 2)}"] [name="stackRoot"]`,
                )}
                label={`Remove row ${index + 1}`}
                icon={<X aria-hidden="true" />}
              />
            </span>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          {...button({ kind: "add" }, `[data-row="${rows.length}"] [name="stackRoot"]`)}
          data-add=""
          size="sm"
          icon={<Plus aria-hidden="true" />}
          disabled={isFull}
        >
          Add row
        </Button>
        {isFull && <p className="text-muted text-xs">A project has at most {MAX_CODE_MAPPINGS}.</p>}
      </div>
    </fieldset>
  );
}

function RootInput({
  name,
  words,
  index,
  value,
  placeholder,
  error,
  onType,
  className,
}: {
  name: "stackRoot" | "sourceRoot";
  words: string;
  index: number;
  value: string;
  placeholder: string;
  error: string | null;
  onType: (value: string) => void;
  className: string;
}) {
  const errorId = useId();
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <span aria-hidden="true" className="text-muted text-xs sm:hidden">
        {name === "stackRoot" ? `${index + 1}. ${words}` : words}
      </span>
      <Input
        name={name}
        aria-label={`${words}, row ${index + 1}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        value={value}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
      />
      {error && (
        <p id={errorId} className="field-error text-error text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
