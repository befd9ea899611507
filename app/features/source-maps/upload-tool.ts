/** By platform: the tool in `set-up-snippets.ts` that uploads the source maps or the mapping of its usual build. */
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
  "node-cloudflare-workers": "sentry-cli",
  "node-awslambda": "sentry-cli",
  "node-gcpfunctions": "sentry-cli",
  android: "android",
};

/** Null: the platform has neither, or its own tools upload them. */
export function toUploadTool(platform: string): string | null {
  return Object.hasOwn(TOOLS, platform) ? (TOOLS[platform] as string) : null;
}
