import { createSignInThrottle } from "./sign-in-throttle.ts";

/** The one of this server: what answers early and what signs in count together. */
export const signInThrottle = createSignInThrottle();
