import type { ServerBuild } from "react-router";
import { sayRefusedByDisk } from "../domain/full-disk.ts";
import { findReadLimit, READ_AGAIN_SECONDS, sayReadLimit } from "../domain/read-limit.ts";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/** As proxies name it: the sender left. Nobody reads it. */
const SENDER_LEFT = 499;

/**
 * The build, with three rules for every loader and every action. A read that the event store gives up is no fault of the page: it is answered
 * 503, and says what to do. Nor is a change that the disk did not take, which is answered 507. What was called off because the sender left is
 * no fault either: strangers would fill the log and the server's own project with it. Routes know nothing of all this.
 */
export function answerExpectedFaults<Build extends Pick<ServerBuild, "routes">>(build: Build): Build {
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: withAnswers(route.module) },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function withAnswers({ loader, action, ...module }: RouteModule): RouteModule {
  return { ...module, ...(loader && { loader: answering(loader) }), ...(action && { action: answering(action) }) };
}

function answering<Args extends { request: Request }, Rest extends unknown[]>(
  handle: (args: Args, ...rest: Rest) => unknown,
): (args: Args, ...rest: Rest) => Promise<unknown> {
  return async (args, ...rest) => {
    try {
      return await handle(args, ...rest);
    } catch (error) {
      const limit = findReadLimit(error);
      if (limit !== null) throw toAnswer(503, sayReadLimit(limit), { "retry-after": String(READ_AGAIN_SECONDS) });
      const refused = sayRefusedByDisk(error);
      if (refused !== null) throw toAnswer(507, refused);
      throw isCalledOff(error, args.request.signal) ? new Response(null, { status: SENDER_LEFT }) : error;
    }
  };
}

/** Something else that fails after the sender left is a fault all the same. */
function isCalledOff(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}

function toAnswer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  });
}
