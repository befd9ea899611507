/** Width of a bar with its gap, in the units of the view box. */
const STEP = 4;
const BAR = 3;
const HEIGHT = 24;

/**
 * A trend as small bars, drawn as one path in the first HTML. The tallest bar fills the height, and a value above zero is at least visible.
 * `label`: what the trend shows, in words.
 */
export function Sparkline({
  values,
  label,
  className,
}: {
  values: readonly number[];
  label: string;
  className?: string;
}) {
  const most = Math.max(1, ...values);
  let bars = "";
  values.forEach((value, index) => {
    if (value <= 0) return;
    const height = Math.max(1.5, Math.round((value / most) * HEIGHT * 10) / 10);
    bars += `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  });
  const width = values.length * STEP - (STEP - BAR);
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={className}
    >
      <path
        d={`M0 ${HEIGHT - 0.5}h${width}`}
        stroke="currentColor"
        strokeOpacity="0.25"
        vectorEffect="non-scaling-stroke"
      />
      <path d={bars} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
