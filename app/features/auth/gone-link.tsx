import type { ReactNode } from "react";
import { isRouteErrorResponse } from "react-router";
import { ErrorPage } from "../frame/error-page.tsx";
import { PlainFrame } from "../frame/plain-frame.tsx";
import { AuthPage } from "./auth-page.tsx";

/**
 * Replaces a page whose link is used, revoked or expired. It says what happened and how to continue. It has no navigation, because
 * most readers are not signed in. Any other error is shown as usual.
 */
export function GoneLink({
  error,
  eventId,
  children,
}: {
  error: unknown;
  /** The id that `ErrorPage` takes. */
  eventId: string | null;
  /** What the reader can do now. */
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
