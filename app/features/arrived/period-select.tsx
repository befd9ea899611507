import { Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { ARRIVED_PERIODS, type ArrivedPeriod } from "./arrived-range.ts";

/** The choice of a time range for pages about what came. It belongs inside a form. */
export function PeriodSelect({ period }: { period: ArrivedPeriod }) {
  return (
    <Select name="period" aria-label="Time range" defaultValue={period} className="w-auto!">
      {toOptions(ARRIVED_PERIODS, ({ value, label }) => [value, `Last ${label}`])}
    </Select>
  );
}
