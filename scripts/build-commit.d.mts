export function findCommit(root: string, env?: Record<string, string | undefined>): string;
export function writeBuildCommit(root: string): void;
