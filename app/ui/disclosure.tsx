import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A native `details`: it opens before script has loaded, and find-in-page opens it in browsers that can do that. */
export function Disclosure({
  summary,
  className,
  children,
  ...rest
}: Omit<ComponentProps<"details">, "summary"> & {
  summary: ReactNode;
}) {
  return (
    <details {...rest} className={classNames("disclosure", className)}>
      <summary>
        <ChevronRight aria-hidden="true" />
        <span className="min-w-0 flex-1">{summary}</span>
      </summary>
      {children}
    </details>
  );
}
