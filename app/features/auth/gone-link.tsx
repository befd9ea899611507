import type { ReactNode } from "react";
import { isRouteErrorResponse } from "react-router";
import { ErrorPage } from "../frame/error-page.tsx";
import { PlainFrame } from "../frame/plain-frame.tsx";
import { AuthPage } from "./auth-page.tsx";

/**
 * In place of a page whose link is used, revoked or over: what happened, and the way on. It has no navigation, because most who see it
 * are not signed in. Any other error is shown as elsewhere.
 */
export function GoneLink({
  error,
  eventId,
  children,
}: {
  error: unknown;
  /** As `ErrorPage` takes it. */
  eventId: string | null;
  /** What one can do now. */
  children: ReactNode;
}) {
  if (!isRouteErrorResponse(error) || error.status !== 404)
    return (
      <PlainFrame>
        <ErrorPage error={error} eventId={eventId} />
      </PlainFrame>
    );
  return (
    <AuthPage title="This link does not work any more" intro={typeof error.data === "string" ? error.data : undefined}>
      <p className="text-center text-sm">{children}</p>
    </AuthPage>
  );
}
