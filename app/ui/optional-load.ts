import { createContext } from "react";

/** Loads code ahead of its use; null when it does not come. */
export type OptionalLoad = <Module>(load: () => Promise<Module>) => Promise<Module | null>;

/** How parts do so. The application may know more of code that is gone: it says so around its pages. */
export const OptionalLoadContext = createContext<OptionalLoad>((load) => load().catch(() => null));
