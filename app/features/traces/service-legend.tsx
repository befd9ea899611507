import type { MouseEvent } from "react";
import { formatCount } from "../../ui/count.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";

/**
 * The colours of the services, with their numbers of spans and their self times. A check box removes its service; with Alt it
 * removes all others.
 */
export function ServiceLegend({ page, hues }: { page: TracePage; hues: readonly number[] }) {
  const { traceId, services, options } = page;
  const go = useTraceNavigation(traceId, options);
  const all = services.map(({ name }) => name);
  const shown = options.services.length === 0 ? all : options.services;
  const choose = (names: readonly string[]) => {
    const isAll = names.length === 0 || all.every((name) => names.includes(name));
    go({ services: isAll ? [] : names });
  };
  const onPress = (name: string) => (event: MouseEvent<HTMLInputElement>) => {
    const isOnly = shown.length === 1 && shown[0] === name;
    if (event.altKey) choose(isOnly ? [] : [name]);
    else choose(shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name]);
  };
  return (
    <ul className="trace-legend" aria-label="Services">
      {services.map(({ name, spanCount, selfUs }, index) => (
        <li key={name}>
          <label htmlFor={`service ${index}`}>
            {services.length > 1 && (
              <Checkbox
                id={`service ${index}`}
                className="needs-script"
                checked={shown.includes(name)}
                onClick={onPress(name)}
                readOnly
              />
            )}
            <span className="trace-swatch" data-hue={hues[index] ?? 0} aria-hidden="true" />
            <bdi className="font-semibold">{name}</bdi>
            <span className="tabular text-muted">
              {formatCount(spanCount)} · {formatDuration(selfUs)}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}
