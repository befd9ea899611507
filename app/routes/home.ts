import { redirect } from "react-router";
import { entranceContext } from "../context.ts";
import type { Route } from "./+types/home.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const organization = await context.get(entranceContext).people.getOrganization();
  throw redirect(organization ? "/issues" : "/set-up");
}
