import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** Tones that have a meaning: states of an issue, levels, and neutral ones. The word in the badge always says the same as its tone. */
const TONES = {
  neutral: "bg-sunken text-muted ring-line",
  outline: "bg-transparent text-muted ring-line-strong",
  mark: "bg-mark text-on-mark ring-mark-edge",
  fresh: "bg-fresh-wash text-fresh ring-fresh/25",
  regressed: "bg-regressed-wash text-regressed ring-regressed/25",
  resolved: "bg-resolved-wash text-resolved ring-resolved/25",
  archived: "bg-archived-wash text-archived ring-archived/25",
  fatal: "bg-fatal-wash text-fatal ring-fatal/25",
  error: "bg-error-wash text-error ring-error/25",
  warning: "bg-warning-wash text-warning ring-warning/25",
  info: "bg-info-wash text-info ring-info/25",
  debug: "bg-debug-wash text-debug ring-debug/25",
} as const;

export type BadgeTone = keyof typeof TONES;

export function Badge({ tone = "neutral", className, ...rest }: ComponentProps<"span"> & { tone?: BadgeTone }) {
  return (
    <span
      {...rest}
      className={classNames(
        "inline-flex h-[1.125rem] items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-semibold text-2xs ring-1 ring-inset [&_svg]:size-3",
        TONES[tone],
        className,
      )}
    />
  );
}
