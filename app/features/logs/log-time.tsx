import { useCurrentYear, useIsHydrated } from "../../ui/clock.tsx";

/** How many characters of `19:04:05.123` are shown. */
const LENGTHS = { minute: 5, second: 8, millisecond: 12 } as const;

/**
 * A time in the logs: in UTC from the server, in the reader's time zone once script has loaded. The whole page uses this form, so
 * that times can be compared. A time of another year shows its year.
 */
export function LogTime({
  occurredUs,
  precision = "millisecond",
}: {
  occurredUs: number;
  precision?: keyof typeof LENGTHS;
}) {
  const isHydrated = useIsHydrated();
  const hasYear = useIsOtherYear(occurredUs);
  const instant = new Date(Math.floor(occurredUs / 1000));
  const iso = instant.toISOString();
  const two = (value: number) => String(value).padStart(2, "0");
  const day = isHydrated ? `${two(instant.getMonth() + 1)}-${two(instant.getDate())}` : iso.slice(5, 10);
  const time = isHydrated
    ? `${two(instant.getHours())}:${two(instant.getMinutes())}:${two(instant.getSeconds())}.${iso.slice(20, 23)}`
    : iso.slice(11, 23);
  return (
    <time dateTime={iso} className="tabular">
      {hasYear && `${toYear(instant, isHydrated)}-`}
      {day} {time.slice(0, LENGTHS[precision])}
    </time>
  );
}

/** Whether the time is shown with its year. */
export function useIsOtherYear(occurredUs: number): boolean {
  const isHydrated = useIsHydrated();
  return toYear(new Date(Math.floor(occurredUs / 1000)), isHydrated) !== useCurrentYear();
}

function toYear(instant: Date, isHydrated: boolean): number {
  return isHydrated ? instant.getFullYear() : instant.getUTCFullYear();
}
