import { classNames } from "./class-names.ts";

export type LevelName = "fatal" | "error" | "warning" | "info" | "debug";

/** The classes of a level as text and as a solid fill. */
export const LEVEL_CLASS_NAMES: Record<LevelName, { text: string; fill: string }> = {
  fatal: { text: "text-fatal", fill: "bg-fatal" },
  error: { text: "text-error", fill: "bg-error" },
  warning: { text: "text-warning", fill: "bg-warning" },
  info: { text: "text-info", fill: "bg-info" },
  debug: { text: "text-debug", fill: "bg-debug" },
};

/** A shape for each level, in a square of 12. They can be told apart without colour: a more severe level has more ink. */
const SHAPES: Record<LevelName, string> = {
  fatal:
    "M3.6 0h4.8L12 3.6v4.8L8.4 12H3.6L0 8.4V3.6Zm.9 3.1L3.1 4.5 4.6 6 3.1 7.5l1.4 1.4L6 7.4l1.5 1.5 1.4-1.4L7.4 6l1.5-1.5-1.4-1.4L6 4.6Z",
  error: "M6 .2 11.8 6 6 11.8.2 6Z",
  warning: "M6 .8 12 11.2H0Z",
  info: "M6 .8A5.2 5.2 0 1 1 6 11.2 5.2 5.2 0 0 1 6 .8Z",
  debug: "M6 .8A5.2 5.2 0 1 1 6 11.2 5.2 5.2 0 0 1 6 .8Zm0 1.7a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z",
};

/** The level as shape and colour. With `showWord` the word stands beside it. Otherwise only a screen reader says it. */
export function LevelMark({
  level,
  showWord = false,
  className,
}: {
  level: LevelName;
  showWord?: boolean;
  className?: string;
}) {
  return (
    <span className={classNames("inline-flex items-center gap-1.5", LEVEL_CLASS_NAMES[level].text, className)}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true" className="shrink-0">
        <path d={SHAPES[level]} fill="currentColor" fillRule="evenodd" />
      </svg>
      <span className={showWord ? "font-semibold text-xs" : "sr-only"}>{level}</span>
    </span>
  );
}
