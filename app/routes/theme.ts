import { data, redirect } from "react-router";
import { toLocalPath } from "../features/auth/require-viewer.server.ts";
import { toTheme } from "../features/frame/theme.ts";
import { serializeTheme } from "../features/frame/theme-cookie.server.ts";
import type { Route } from "./+types/theme.ts";

export function loader() {
  throw redirect("/");
}

/** Chooses the theme. `stay`: the page stays open, as script asks for. Otherwise a redirect leads back to `to`. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const headers = { "set-cookie": serializeTheme(toTheme(form.get("theme"))) };
  if (form.has("stay")) return data(null, { headers });
  const to = form.get("to");
  return redirect(toLocalPath(typeof to === "string" ? to : null), { headers });
}
