import { createContext } from "react-router";
import type { User } from "./domain/user.ts";
import type { Engine } from "./engine/engine.ts";

/** The running server's parts; set by the root's middleware on every request. */
export const engineContext = createContext<Engine>();

/** Who asks; null before sign-in. Set by the root's middleware. */
export const viewerContext = createContext<User | null>(null);

/** The nonce that this response's content security policy allows for scripts; empty where there is no policy (in dev). */
export const nonceContext = createContext<string>("");

/** The sender's IP address; null in dev, where Vite makes the context, and when the socket is gone. */
export const clientAddressContext = createContext<string | null>(null);
