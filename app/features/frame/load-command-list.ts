/** The list of the palette, apart from its field: that is in every page, and the list comes when the page is at rest. */
export const loadCommandList = () => import("./command-list.tsx").then((module) => module.default);
