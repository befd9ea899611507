import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { classNames } from "./class-names.ts";

/** A bounded surface on the canvas. Cards are never nested. */
export function Card({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={classNames("rounded-lg border border-line bg-surface", className)} />;
}

/** A card with a heading and actions at its right. Most parts of a page are panels. `id` makes it a target of links. */
export function Panel({
  id,
  title,
  actions,
  description,
  isFlush = false,
  className,
  children,
}: {
  id?: string;
  title: ReactNode;
  actions?: ReactNode;
  description?: ReactNode;
  /** No padding around the content: for tables and lists that reach the edge. */
  isFlush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className={classNames("overflow-clip rounded-lg border border-line bg-surface", className)}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5">
        <h2 id={headingId} className="mr-auto text-base">
          {title}
        </h2>
        {actions}
        {description && <p className="basis-full pb-1 text-muted text-xs">{description}</p>}
      </div>
      <div className={isFlush ? undefined : "p-4"}>{children}</div>
    </section>
  );
}
