/** Loads the list of the palette. Its field is part of every page, and the list comes when the page is at rest. */
export const loadCommandList = () => import("./command-list.tsx").then((module) => module.default);
