import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";

/** The purpose of a button decides its variant. A page has at most one `primary` button. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    "border-mark-edge bg-mark text-on-mark shadow-raised hover:bg-mark-hover active:translate-y-px disabled:translate-y-0",
  secondary: "border-line-strong bg-raised text-ink shadow-raised hover:bg-hover active:translate-y-px",
  quiet: "border-transparent bg-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-danger text-on-danger shadow-raised hover:bg-danger-hover active:translate-y-px",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "h-7 gap-1.5 px-2.5 text-xs pointer-coarse:h-9 pointer-coarse:min-w-9 [&_svg]:size-3.5",
  md: "h-8.5 gap-2 px-3 text-sm pointer-coarse:h-10 pointer-coarse:min-w-9 [&_svg]:size-4",
  lg: "h-10 gap-2 px-4 text-base pointer-coarse:h-11 [&_svg]:size-4",
};

const BASE =
  "relative inline-flex shrink-0 cursor-pointer select-none items-center justify-center whitespace-nowrap rounded-md border font-semibold no-underline transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress";

/** The classes of a button, for the rare element that is neither `button` nor `a` (a `summary`, a `label`). */
export function buttonClassNames(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return classNames(BASE, VARIANTS[variant], SIZES[size]);
}

interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the label. */
  icon?: ReactNode;
}

export type ButtonProps = ComponentProps<"button"> &
  ButtonLook & {
    /** The action is running: it is announced at once and drawn after 100 ms, and a second press does nothing. */
    isPending?: boolean;
  };

/** A button that does something. Its `type` is `button` unless given, so that it never submits a form by accident. */
export function Button({ variant, size, icon, isPending = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else onClick?.(event);
      }}
      className={classNames(buttonClassNames(variant, size), className)}
    >
      {icon}
      {children}
      {isPending && <span className="btn-progress" aria-hidden="true" />}
    </button>
  );
}

/** A link that looks like a button. It prefetches its page when somebody is about to press it. */
export function LinkButton({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & ButtonLook) {
  return (
    <Link prefetch="intent" {...rest} className={classNames(buttonClassNames(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}
