import { redirect } from "react-router";
import { engineContext } from "../context.ts";
import type { Route } from "./+types/home.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const organization = await context.get(engineContext).state.people.getOrganization();
  throw redirect(organization ? "/issues" : "/set-up");
}
