const WHOLE = new Intl.NumberFormat("en");

/** A count in at most five characters: `950`, `9,512`, `12k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 10_000) return WHOLE.format(count);
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  if (count < 10_000_000) return `${Math.floor(count / 100_000) / 10}M`;
  if (count < 1_000_000_000) return `${Math.floor(count / 1_000_000)}M`;
  return `${Math.floor(count / 100_000_000) / 10}G`;
}

/** A count short enough for a column. The whole number with `unit` is its tooltip, and is what a screen reader says. */
export function Count({
  value,
  unit,
  detail,
  className,
}: {
  value: number;
  unit: string;
  detail?: string;
  className?: string;
}) {
  const whole = `${WHOLE.format(value)} ${unit}${detail ? `, ${detail}` : ""}`;
  return (
    <span data-tip={whole} className={className}>
      <span aria-hidden="true" className="tabular">
        {formatCount(value)}
      </span>
      <span className="sr-only">{whole}</span>
    </span>
  );
}
