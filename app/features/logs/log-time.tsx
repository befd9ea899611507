import { useCurrentYear, useIsHydrated } from "../../ui/clock.tsx";

/** How many characters of `19:04:05.123` are said. */
const LENGTHS = { minute: 5, second: 8, millisecond: 12 } as const;

/**
 * When something of the logs was: in universal time from the server, in the reader's zone once script is there. All of that page
 * writes times in this form, so that they can be compared. A time of another year has its year.
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

/** Whether a time is written with its year. */
export function useIsOtherYear(occurredUs: number): boolean {
  const isHydrated = useIsHydrated();
  return toYear(new Date(Math.floor(occurredUs / 1000)), isHydrated) !== useCurrentYear();
}

function toYear(instant: Date, isHydrated: boolean): number {
  return isHydrated ? instant.getFullYear() : instant.getUTCFullYear();
}
