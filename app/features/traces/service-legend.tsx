import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import type { TraceService } from "./read-trace.server.ts";

/** Which colour is which service, with its spans and the time that it ran by itself. */
export function ServiceLegend({ services, hues }: { services: readonly TraceService[]; hues: readonly number[] }) {
  return (
    <ul className="trace-legend" aria-label="Services">
      {services.map(({ name, spanCount, selfUs }, index) => (
        <li key={name}>
          <span className="trace-swatch" data-hue={hues[index] ?? 0} aria-hidden="true" />
          <bdi className="font-semibold">{name}</bdi>{" "}
          <span className="tabular text-muted">
            {formatCount(spanCount)} · {formatDuration(selfUs)}
          </span>
        </li>
      ))}
    </ul>
  );
}
