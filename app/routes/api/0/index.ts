import { viewerContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import type { Route } from "./+types/index.ts";

/** What `sentry-cli info` and `login` ask: is this the API, and who am I. */
export function loader({ context }: Route.LoaderArgs) {
  const user = context.get(viewerContext);
  return answer({
    version: "0",
    auth: {
      scopes: [
        "org:read",
        "org:write",
        "project:read",
        "project:write",
        "project:releases",
        "event:read",
        "event:write",
      ],
    },
    user: user && { id: String(user.id), email: user.email, username: user.email, name: user.name },
  });
}
