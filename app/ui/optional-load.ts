import { createContext } from "react";

/** Loads code before it is needed. Null: the code did not come. */
export type OptionalLoad = <Module>(load: () => Promise<Module>) => Promise<Module | null>;

/**
 * How parts of a page load optional code. The application may know more about code that is gone, and then provides its own function around
 * its pages.
 */
export const OptionalLoadContext = createContext<OptionalLoad>((load) => load().catch(() => null));
