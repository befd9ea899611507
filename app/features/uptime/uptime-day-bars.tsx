import { formatAvailability } from "./uptime-words.ts";

/** A bar for each day. A failure is higher as well as red. Each bar has its day in words. */
export function UptimeDayBars({
  days,
  label,
}: {
  days: ReadonlyArray<{ at: number; availability: number | null }>;
  label: string;
}) {
  return (
    <ol className="uptime-days" aria-label={label} data-many={days.length > 31 || undefined}>
      {days.map(({ at, availability }) => {
        const words = `${new Date(at).toISOString().slice(0, 10)}: ${formatAvailability(availability)}`;
        return (
          <li key={at} data-kind={kindOf(availability)} title={words}>
            <span className="sr-only">{words}</span>
          </li>
        );
      })}
    </ol>
  );
}

function kindOf(share: number | null): "unknown" | "up" | "some" | "down" {
  if (share === null) return "unknown";
  return share === 1 ? "up" : share > 0.95 ? "some" : "down";
}
