import { apiCallerContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import type { Route } from "./+types/index.ts";

/** What `sentry-cli info` and `login` ask: is this the API, who am I, and what may I do. */
export function loader({ context }: Route.LoaderArgs) {
  const { user, scopes } = context.get(apiCallerContext);
  return answer({
    version: "0",
    auth: { scopes },
    user: user && { id: String(user.id), email: user.email, username: user.email, name: user.name },
  });
}
