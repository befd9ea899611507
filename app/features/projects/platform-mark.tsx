import type { Platform } from "./platforms.ts";

/** Two letters and a hue for each family. These are marks of our own, because the languages' logos belong to others. */
const MARKS: Record<Platform["family"], { letters: string; hue: number }> = {
  javascript: { letters: "JS", hue: 95 },
  node: { letters: "Nd", hue: 145 },
  python: { letters: "Py", hue: 245 },
  go: { letters: "Go", hue: 205 },
  rust: { letters: "Rs", hue: 45 },
  java: { letters: "Ja", hue: 25 },
  php: { letters: "Ph", hue: 285 },
  ruby: { letters: "Rb", hue: 10 },
  dotnet: { letters: ".N", hue: 300 },
  other: { letters: "··", hue: 140 },
};

/**
 * The square of a family of platforms. It is a decoration beside a name. `ProjectMark` is another file because it knows every
 * platform with its snippets, and pages that only draw the square should not load those.
 */
export function PlatformMark({ family, className = "size-5" }: { family: Platform["family"]; className?: string }) {
  const { letters, hue } = MARKS[family];
  return (
    <svg viewBox="0 0 20 20" className={`shrink-0 ${className}`} aria-hidden="true">
      <rect
        width="20"
        height="20"
        rx="3"
        style={{ fill: `light-dark(oklch(0.9 0.06 ${hue}), oklch(0.36 0.06 ${hue}))` }}
      />
      <text
        x="10"
        y="13.6"
        textAnchor="middle"
        fontSize="9.5"
        fontWeight="700"
        style={{ fill: `light-dark(oklch(0.35 0.09 ${hue}), oklch(0.92 0.06 ${hue}))` }}
      >
        {letters}
      </text>
    </svg>
  );
}
