import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

const TONES = {
  info: { look: "border-info/35 bg-info-wash", ink: "text-info", icon: <Info /> },
  done: { look: "border-resolved/35 bg-resolved-wash", ink: "text-resolved", icon: <CircleCheck /> },
  warning: { look: "border-warning/35 bg-warning-wash", ink: "text-warning", icon: <TriangleAlert /> },
  error: { look: "border-error/35 bg-error-wash", ink: "text-error", icon: <OctagonAlert /> },
} as const;

/** A message that stands in the page, near its cause. `error` interrupts a screen reader; the other kinds wait. */
export function Notice({
  tone = "info",
  title,
  children,
  actions,
  className,
}: {
  tone?: keyof typeof TONES;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  const { look, ink, icon } = TONES[tone];
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className={classNames(
        "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md border px-3 py-2 text-sm",
        look,
        className,
      )}
    >
      <span aria-hidden="true" className={classNames("shrink-0 pt-0.5 [&_svg]:size-4", ink)}>
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
