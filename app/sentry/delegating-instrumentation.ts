import type { ClientInstrumentation, ServerInstrumentation } from "react-router";

type Instrumentation = ClientInstrumentation & ServerInstrumentation;
/** What can be instrumented: a router, a route or a request handler, given the hooks `Hooks`. */
type Target<Part extends keyof Instrumentation> = Parameters<NonNullable<Instrumentation[Part]>>[0];
type Hooks<Part extends keyof Instrumentation> = Parameters<Target<Part>["instrument"]>[0];

/**
 * Takes the place of an instrumentation whose code arrives later: the router wants its instrumentations when it is made,
 * and the SDK must not delay that. Until `find` gives one, everything runs as if it were not there; from then on it sees
 * every call.
 */
export function createDelegatingInstrumentation(find: () => Instrumentation | null): Instrumentation {
  return {
    handler(handler) {
      const hooks = once(find, "handler", handler);
      handler.instrument({ request: (call, info) => delegate(hooks()?.request, call, info) });
    },
    router(router) {
      const hooks = once(find, "router", router);
      router.instrument({
        navigate: (call, info) => delegate(hooks()?.navigate, call, info),
        fetch: (call, info) => delegate(hooks()?.fetch, call, info),
      });
    },
    route(route) {
      const hooks = once(find, "route", route);
      route.instrument({
        loader: (call, info) => delegate(hooks()?.loader, call, info),
        action: (call, info) => delegate(hooks()?.action, call, info),
        middleware: (call, info) => delegate(hooks()?.middleware, call, info),
        lazy: (call, info) => delegate(hooks()?.lazy, call, info),
      });
    },
  };
}

/** The hooks that the found instrumentation has for this target, asked for once. */
function once<Part extends keyof Instrumentation>(
  find: () => Instrumentation | null,
  part: Part,
  target: Target<Part>,
): () => Hooks<Part> | undefined {
  let hooks: Hooks<Part> | undefined;
  return () => {
    const found = hooks ? undefined : find();
    if (found) {
      const instrument = (given: Hooks<Part>) => {
        hooks = given;
      };
      const register = found[part] as ((target: Target<Part>) => void) | undefined;
      register?.({ ...target, instrument });
      hooks ??= {};
    }
    return hooks;
  };
}

async function delegate<Result, Info>(
  hook: ((call: () => Promise<Result>, info: Info) => Promise<void>) | undefined,
  call: () => Promise<Result>,
  info: Info,
): Promise<void> {
  if (hook) await hook(call, info);
  else await call();
}
