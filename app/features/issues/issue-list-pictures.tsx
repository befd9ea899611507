/* Small drawings in the manner of the sign: lines of a stack, and the marker. Decoration only. */

const FRAME = {
  viewBox: "0 0 160 96",
  "aria-hidden": true,
  fill: "none",
  strokeWidth: 5,
  strokeLinecap: "round",
} as const;

/** Lines that nothing crosses: all is well. */
export function CalmPicture() {
  return (
    <svg {...FRAME} aria-hidden="true">
      <path d="M34 24h64M34 42h84M34 60h52M34 78h72" stroke="currentColor" opacity="0.35" />
      <circle cx="122" cy="24" r="17" className="fill-mark" />
      <path d="m114 24 6 6 10-11" className="stroke-on-mark" strokeLinejoin="round" />
    </svg>
  );
}

/** Lines that have not come yet. */
export function WaitingPicture() {
  return (
    <svg {...FRAME} aria-hidden="true">
      <path d="M34 24h64M34 42h84M34 60h52M34 78h72" stroke="currentColor" opacity="0.35" strokeDasharray="2 9" />
      <rect x="26" y="33" width="26" height="18" rx="2" className="waiting-marker fill-mark" />
    </svg>
  );
}

/** The marker, with nothing below it. */
export function EmptyNetPicture() {
  return (
    <svg {...FRAME} aria-hidden="true">
      <path d="M34 24h64M34 60h52M34 78h72" stroke="currentColor" opacity="0.35" />
      <rect
        x="26"
        y="33"
        width="108"
        height="18"
        rx="2"
        className="stroke-mark-edge"
        strokeWidth="3"
        strokeDasharray="7 7"
      />
    </svg>
  );
}
