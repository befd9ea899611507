/** Stores of a map thread as a module's URL: no uploads, and no rules. */
export const NO_MAP_STORES = `data:text/javascript,
  const groupingRules = { version: async () => 0, listRules: async () => [] };
  const ruleIndex = { version: async () => 0, listRules: async () => new Map() };
  export async function openMapStores() { return { artifacts: null, groupingRules, ruleIndex }; }`;
