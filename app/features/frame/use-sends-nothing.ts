import { useRouteLoaderData } from "react-router";

/** Whether this server was started with `SEND_NOTHING`. Then it has no mail, even if mail is set up. */
export function useSendsNothing(): boolean {
  const frame = useRouteLoaderData("routes/app-layout") as { sendsNothing?: boolean } | null | undefined;
  return frame?.sendsNothing ?? false;
}
