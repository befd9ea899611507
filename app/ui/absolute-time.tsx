import { useIsHydrated } from "./clock.tsx";

/** An instant to the millisecond: in universal time from the server, in the reader's zone once script is there. */
export function AbsoluteTime({ at, className }: { at: number; className?: string }) {
  const isHydrated = useIsHydrated();
  const instant = new Date(at);
  const iso = instant.toISOString();
  return (
    <time dateTime={iso} className={className}>
      {isHydrated
        ? instant.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })
        : `${iso.slice(0, 19).replace("T", " ")} UTC`}
    </time>
  );
}
