import { useIsHydrated } from "../../ui/clock.tsx";

/** When a line was written, to the millisecond: in universal time from the server, in the reader's zone once script is there. */
export function LogTime({ occurredUs }: { occurredUs: number }) {
  const isHydrated = useIsHydrated();
  const instant = new Date(Math.floor(occurredUs / 1000));
  const iso = instant.toISOString();
  const two = (value: number) => String(value).padStart(2, "0");
  const day = isHydrated ? `${two(instant.getMonth() + 1)}-${two(instant.getDate())}` : iso.slice(5, 10);
  const time = isHydrated
    ? `${two(instant.getHours())}:${two(instant.getMinutes())}:${two(instant.getSeconds())}.${iso.slice(20, 23)}`
    : iso.slice(11, 23);
  return (
    <time dateTime={iso} className="tabular">
      {day} {time}
    </time>
  );
}
