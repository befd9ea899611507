import { formatDuration } from "../../ui/format-duration.ts";
import { sayWeight } from "../explore/say-weight.ts";
import type { UsualSpan } from "./get-usual.server.ts";

const WIDTH = 300;
const HEIGHT = 36;

/** The usual durations of spans like this one, with this one marked. */
export function UsualDuration({ usual, durationUs }: { usual: UsualSpan; durationUs: number }) {
  const { bars, fromUs, toUs, p50Us, p95Us } = usual;
  const most = Math.max(...bars);
  const barWidth = WIDTH / bars.length;
  const toX = (us: number) => (Math.log(Math.max(us, fromUs) / fromUs) / Math.log(toUs / fromUs)) * WIDTH;
  return (
    <>
      <h3>Usual for such a span</h3>
      <svg
        className="trace-usual"
        viewBox={`-6 -8 ${WIDTH + 12} ${HEIGHT + 8}`}
        role="img"
        aria-label={describe(usual, durationUs)}
      >
        {bars.map((share, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name
            key={index}
            x={index * barWidth}
            y={HEIGHT - Math.max(share > 0 ? 1.5 : 0, (share / most) * HEIGHT)}
            width={barWidth - 1}
            height={Math.max(share > 0 ? 1.5 : 0, (share / most) * HEIGHT)}
          />
        ))}
        {[p50Us, p95Us].map((us) => (
          <line key={us} className="trace-usual-quantile" x1={toX(us)} x2={toX(us)} y1={0} y2={HEIGHT} />
        ))}
        <line className="trace-usual-own" x1={toX(durationUs)} x2={toX(durationUs)} y1={0} y2={HEIGHT} />
        <path className="trace-usual-own" d={`M${toX(durationUs)} -8l5 5-5 5-5-5z`} />
      </svg>
      <p className="trace-usual-words">{describe(usual, durationUs)}</p>
    </>
  );
}

/** The chart in words: `412 ms; p50 38 ms, p95 120 ms of 4,210 in the 24 h before. Slower than 99.7 %.` */
function describe({ p50Us, p95Us, fasterShare, ...base }: UsualSpan, durationUs: number): string {
  const share = (value: number) =>
    value > 0.9995
      ? "all of them"
      : `${(value * 100).toLocaleString("en", { maximumFractionDigits: value > 0.99 ? 1 : 0 })} %`;
  const rank =
    fasterShare >= 0.5 ? `Slower than ${share(fasterShare)}` : `Faster than ${share(Math.max(0, 1 - fasterShare))}`;
  return `${formatDuration(durationUs)}; p50 ${formatDuration(p50Us)}, p95 ${formatDuration(p95Us)} in the 24 h before, of ${sayWeight(base)}. ${rank}.`;
}
