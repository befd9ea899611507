import { useRouteLoaderData } from "react-router";

/** The person who is signed in; null outside of the pages for people who are. */
export function useReader(): { id: number; name: string } | null {
  const frame = useRouteLoaderData("routes/app-layout") as { viewer?: { id: number; name: string } } | null | undefined;
  return frame?.viewer ?? null;
}
