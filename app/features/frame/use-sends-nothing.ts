import { useRouteLoaderData } from "react-router";

/** Whether this server was started with `SEND_NOTHING`: then it has no mail, however that is set up. */
export function useSendsNothing(): boolean {
  const frame = useRouteLoaderData("routes/app-layout") as { sendsNothing?: boolean } | null | undefined;
  return frame?.sendsNothing ?? false;
}
