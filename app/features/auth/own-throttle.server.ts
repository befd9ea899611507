import { createSignInThrottle } from "./sign-in-throttle.ts";

/** The one throttle of this server, so that early refusals and sign-ins use the same counts. */
export const signInThrottle = createSignInThrottle();
