import { useIsHydrated } from "./clock.tsx";

/** An instant with milliseconds: from the server in universal time, and once script runs in the reader's zone. */
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
