import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { ApiScope } from "../../domain/api-token.ts";

/** Whether the viewer's role allows one of these; the server asks again. False outside of the pages for people who are signed in. */
export function useMay(...rights: ApiScope[]): boolean {
  return useRights()(...rights);
}

/** As `useMay`, for many questions at once. */
export function useRights(): (...rights: ApiScope[]) => boolean {
  const frame = useRouteLoaderData("routes/app-layout") as { rights?: readonly ApiScope[] } | null | undefined;
  return (...rights) => rights.some((right) => frame?.rights?.includes(right));
}

/** Shows its content to whom the role allows one of these. */
export function IfMay({ right, children }: { right: ApiScope; children: ReactNode }): ReactNode {
  return useMay(right) ? children : null;
}
