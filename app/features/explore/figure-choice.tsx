import { useEffect, useId, useRef } from "react";
import { SPAN_AGGREGATES } from "../../domain/spans/span-aggregates.ts";
import { NUMBER_FIGURE_PATTERN, NUMBER_FUNCTIONS, type SpanFigure } from "../../domain/spans/span-figure.ts";
import { Checkbox, Input } from "../../ui/field.tsx";
import { MAX_SHOWN } from "./explore-options.ts";
import { shortenFigure } from "./format-aggregate.ts";

/** Chooses the shown figures: check boxes for figures of durations, and a field for figures of any attribute. */
export function FigureChoice({ shown, keys }: { shown: readonly SpanFigure[]; keys: readonly string[] }) {
  const names = shown.map(({ name }) => name);
  const isFull = names.length >= MAX_SHOWN;
  const offered = [...new Set([...SPAN_AGGREGATES, ...names])];
  return (
    <>
      <fieldset className="explore-show">
        <legend>Show</legend>
        {offered.map((name) => (
          <label key={name} htmlFor={`show ${name}`}>
            <Checkbox
              name="show"
              value={name}
              id={`show ${name}`}
              defaultChecked={names.includes(name)}
              disabled={isFull && !names.includes(name)}
            />
            {shortenFigure({ name })}
          </label>
        ))}
        {isFull && <span className="text-muted">At most {MAX_SHOWN}.</span>}
      </fieldset>
      {!isFull && <FigureField names={names} keys={keys} />}
    </>
  );
}

function FigureField({ names, keys }: { names: readonly string[]; keys: readonly string[] }) {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && names.includes(field.current.value)) field.current.value = "";
  }, [names]);
  return (
    <>
      <Input
        ref={field}
        name="show"
        list={listId}
        controlSize="sm"
        autoComplete="off"
        spellCheck={false}
        aria-label="Figure of an attribute"
        placeholder="+ p95(attribute)"
        pattern={NUMBER_FIGURE_PATTERN}
        title={`A function of an attribute, like avg(order.total): ${NUMBER_FUNCTIONS.join(", ")}`}
        className="w-44! font-mono"
      />
      <datalist id={listId}>
        {keys.flatMap((key) =>
          ["avg", "p95"].map((name) => <option key={`${name} ${key}`}>{`${name}(${key})`}</option>),
        )}
      </datalist>
    </>
  );
}
