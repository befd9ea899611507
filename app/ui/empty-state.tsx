import { createContext, type ReactNode, useContext } from "react";

/** Whether events, spans and log lines may be missing now that will come back later. */
export const MayBeMissing = createContext(false);

/**
 * Says why a list is empty, and what to do about it.
 * @param isOfEvents true for a list of things that may be missing: while they may be, this is said instead
 */
export function EmptyState({
  picture,
  title,
  children,
  actions,
  isOfEvents = false,
}: {
  picture?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  isOfEvents?: boolean;
}) {
  const isMissing = useContext(MayBeMissing) && isOfEvents;
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      {picture && <div className="pb-2 text-faint [&_svg]:h-24 [&_svg]:w-auto">{picture}</div>}
      <h2 className="text-lg">{isMissing ? "Nothing is back yet" : title}</h2>
      {(isMissing || children) && (
        <div className="max-w-prose text-muted text-sm">
          {isMissing ? "Events are being rebuilt. If something was stored here, it comes back." : children}
        </div>
      )}
      {actions && <div className="flex flex-wrap justify-center gap-2 pt-3">{actions}</div>}
    </div>
  );
}
