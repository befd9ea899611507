import { Select } from "../../ui/field.tsx";
import { ARRIVED_PERIODS, type ArrivedPeriod } from "./arrived-range.ts";

/** The choice of a time range for pages about what came. It belongs inside a form. */
export function PeriodSelect({ period }: { period: ArrivedPeriod }) {
  return (
    <Select name="period" aria-label="Time range" defaultValue={period} className="w-auto!">
      {ARRIVED_PERIODS.map(({ value, label }) => (
        <option key={value} value={value}>
          Last {label}
        </option>
      ))}
    </Select>
  );
}
