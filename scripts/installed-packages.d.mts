export function findMissingPackages(root: string, options: { withDev: boolean }): string[];
