import { classNames } from "./class-names.ts";

/** Stands where text will be. Give it a width; its height is that of a line. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames("skeleton", className)} />;
}
