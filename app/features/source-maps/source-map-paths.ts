/** The address of a project's source maps, or only those of a release. */
export function toSourceMapsPath(slug: string, release: string | null = null): string {
  const path = `/projects/${slug}/source-maps`;
  return release === null ? path : `${path}?${new URLSearchParams({ release })}`;
}

/** The address of the instructions for a tool. */
export function toUploadHelpPath(slug: string, tool: string): string {
  return `${toSourceMapsPath(slug)}?${new URLSearchParams({ tool })}#set-up`;
}
