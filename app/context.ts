import { createContext } from "react-router";
import type { Entrance } from "./access/enter.server.ts";
import type { Workspace } from "./access/workspace.ts";
import type { ProxyIdentity } from "./domain/people/proxy-identity.ts";
import type { User } from "./domain/user.ts";

/** The parts that signing in needs. Set by the root's middleware on every request. */
export const entranceContext = createContext<Entrance>();

/** The user who asks. Null before sign-in. Set by the root's middleware. */
export const viewerContext = createContext<User | null>(null);

/** The data that the viewer may use. Set by the root's middleware for requests of a signed-in user. */
export const workspaceContext = createContext<Workspace>();

/** The nonce that this response's content security policy allows for scripts. Empty if there is no policy (in dev). */
export const nonceContext = createContext<string>("");

/** The sender's IP address; null in dev, where Vite makes the context, and when the socket is gone. */
export const clientAddressContext = createContext<string | null>(null);

/** The sender of the request, as the operator's proxy names it. Null: it names nobody, or is not trusted. Set by the page handler. */
export const proxyIdentityContext = createContext<ProxyIdentity | null>(null);

/** Another site to which a form may lead; null: none. */
export const formTargetContext = createContext<string | null>(null);
