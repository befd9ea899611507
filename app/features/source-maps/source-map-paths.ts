/** The source maps of a project; of one release where it is named. */
export function toSourceMapsPath(slug: string, release: string | null = null): string {
  const path = `/projects/${slug}/source-maps`;
  return release === null ? path : `${path}?${new URLSearchParams({ release })}`;
}

/** Where the page says how this tool uploads them. */
export function toUploadHelpPath(slug: string, tool: string): string {
  return `${toSourceMapsPath(slug)}?${new URLSearchParams({ tool })}#set-up`;
}
