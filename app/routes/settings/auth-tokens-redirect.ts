import { redirect } from "react-router";

/** Where `sentry-cli login` sends people to make a token. */
export function loader() {
  return redirect("/settings/tokens");
}
