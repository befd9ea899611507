/** By platform: which of the tools in `set-up-snippets.ts` uploads the source maps of its usual build. */
const TOOLS: Readonly<Record<string, string>> = {
  javascript: "vite",
  "javascript-react": "vite",
  "javascript-react-router": "react-router",
  "javascript-nextjs": "nextjs",
  "javascript-vue": "vite",
  "javascript-angular": "sentry-cli",
  "javascript-nuxt": "nuxt",
  "javascript-svelte": "vite",
  "javascript-sveltekit": "sveltekit",
  "javascript-astro": "astro",
  node: "sentry-cli",
  "node-express": "sentry-cli",
  "node-nestjs": "sentry-cli",
  "node-hono": "sentry-cli",
};

/** Null for a platform that has no source maps, or whose own tools upload them. */
export function toUploadTool(platform: string): string | null {
  return Object.hasOwn(TOOLS, platform) ? (TOOLS[platform] as string) : null;
}
