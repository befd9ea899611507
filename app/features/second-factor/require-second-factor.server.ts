import { data, redirect } from "react-router";
import type { Workspace } from "../../access/workspace.ts";
import type { SecondFactorStore } from "../../stores/state/second-factor-store.ts";

/** Whether the organization requires a second factor that the person does not have. */
export async function lacksSecondFactor(
  { secondFactors }: { secondFactors: Pick<SecondFactorStore, "getSecondFactor"> },
  { organization, user }: Pick<Workspace, "organization" | "user">,
): Promise<boolean> {
  if (!organization.requiresSecondFactor || !user) return false;
  const factor = await secondFactors.getSecondFactor(user.id);
  return factor === null || factor.confirmedAt === null;
}

/**
 * Whether the viewer has the second factor that their organization requires.
 *
 * @throws a redirect to the page that sets one up, or 403 if the request is not for a page
 */
export async function requireSecondFactor(
  { secondFactors }: { secondFactors: Pick<SecondFactorStore, "getSecondFactor"> },
  { workspace, request, url }: { workspace: Workspace; request: Request; url: URL },
): Promise<void> {
  if (!(await lacksSecondFactor({ secondFactors }, workspace))) return;
  if (request.method !== "GET" || url.pathname.startsWith("/api/"))
    throw data("Your organization requires a second factor. Set one up at /second-factor.", { status: 403 });
  const back = url.pathname + url.search;
  throw redirect(
    back === "/" || back === "/issues" ? "/second-factor" : `/second-factor?to=${encodeURIComponent(back)}`,
  );
}
