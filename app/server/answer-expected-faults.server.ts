import type { ServerBuild } from "react-router";
import { sayRefusedByDisk } from "../domain/full-disk.ts";
import { findReadLimit, READ_AGAIN_SECONDS, sayReadLimit } from "../domain/read-limit.ts";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/** The status that proxies use if the sender left. Nobody reads it. */
const SENDER_LEFT = 499;

/**
 * Adds three rules to every loader and action of the build. A read that the event store gives up is no fault of the page: it is answered
 * 503, and the answer says what to do. A change that the disk did not take is answered 507. And work that was cancelled because the sender
 * left is no fault: otherwise strangers could fill the log and the server's own project. The routes know nothing of these rules.
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

/** Whether the error is the cancellation itself. Any other failure after the sender left is still a fault. */
function isCalledOff(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}

function toAnswer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  });
}
