import type { ServerBuild } from "react-router";
import { findReadLimit, READ_AGAIN_SECONDS, sayReadLimit } from "../domain/read-limit.ts";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/**
 * The build, with the rule for every loader and every action that a read that the event store gives up is no fault of the page: it is answered
 * 503, and says what to do. Routes know nothing of it.
 */
export function answerReadLimits<Build extends Pick<ServerBuild, "routes">>(build: Build): Build {
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: withAnswers(route.module) },
  ]);
  return { ...build, routes: Object.fromEntries(routes) };
}

function withAnswers({ loader, action, ...module }: RouteModule): RouteModule {
  return { ...module, ...(loader && { loader: answering(loader) }), ...(action && { action: answering(action) }) };
}

function answering<Args extends unknown[]>(handle: (...args: Args) => unknown): (...args: Args) => Promise<unknown> {
  return async (...args) => {
    try {
      return await handle(...args);
    } catch (error) {
      const limit = findReadLimit(error);
      throw limit === null ? error : toAnswer(sayReadLimit(limit));
    }
  };
}

function toAnswer(text: string): Response {
  return new Response(`${text}\n`, {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": String(READ_AGAIN_SECONDS) },
  });
}
