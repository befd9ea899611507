import { createContext } from "react-router";
import type { Entrance } from "./access/enter.server.ts";
import type { Workspace } from "./access/workspace.ts";
import type { ProxyIdentity } from "./domain/people/proxy-identity.ts";
import type { User } from "./domain/user.ts";

/** What signing in needs; set by the root's middleware on every request. */
export const entranceContext = createContext<Entrance>();

/** Who asks; null before sign-in. Set by the root's middleware. */
export const viewerContext = createContext<User | null>(null);

/** What the viewer may work with. Set by the root's middleware for requests of somebody who is signed in. */
export const workspaceContext = createContext<Workspace>();

/** The nonce that this response's content security policy allows for scripts; empty where there is no policy (in dev). */
export const nonceContext = createContext<string>("");

/** The sender's IP address; null in dev, where Vite makes the context, and when the socket is gone. */
export const clientAddressContext = createContext<string | null>(null);

/** Who sent the request, as the operator's proxy says; null: it says nothing, or nobody believes it. Set by the page handler. */
export const proxyIdentityContext = createContext<ProxyIdentity | null>(null);

/** Another site to which a form may lead; null: none. */
export const formTargetContext = createContext<string | null>(null);
