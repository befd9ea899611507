import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

const BASE =
  "inline-flex shrink-0 cursor-pointer items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:bg-mark-wash aria-pressed:text-mark-ink";

const SIZES = {
  sm: "size-7 pointer-coarse:size-9 [&_svg]:size-3.5",
  md: "size-8.5 pointer-coarse:size-10 [&_svg]:size-4",
} as const;

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** The action in words: the accessible name and the tooltip. */
  label: string;
  /** The key that does the same. It is shown in the tooltip. */
  shortcut?: string;
  icon: ReactNode;
  size?: keyof typeof SIZES;
}

export function IconButton({ label, shortcut, icon, size = "md", className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={shortcut ? `${label}  ${shortcut}` : label}
      {...rest}
      className={classNames(BASE, SIZES[size], className)}
    >
      {icon}
    </button>
  );
}
