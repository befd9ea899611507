import type { NumberSummary } from "../../domain/number-summary.ts";
import { formatNumber } from "./format-number.ts";

/** The figures of the numbers that an attribute has. */
export function NumberFigures({ numbers }: { numbers: NumberSummary }) {
  return (
    <dl className="number-figures">
      {(["min", "median", "p95", "max"] as const).map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="tabular">{formatNumber(numbers[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
