import { useRouteLoaderData } from "react-router";

/** The signed-in person. Null on pages for people who are not signed in. */
export function useReader(): { id: number; name: string } | null {
  const frame = useRouteLoaderData("routes/app-layout") as { viewer?: { id: number; name: string } } | null | undefined;
  return frame?.viewer ?? null;
}
