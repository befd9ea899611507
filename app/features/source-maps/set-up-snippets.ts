import { type ExplainContext, injectCommand, uploadCommand } from "../../symbolicate/upload-command.ts";

export interface SetUpSnippet {
  /** The id of the tab, also used in the URL. */
  id: string;
  label: string;
  /** The command that installs the tool. Null: none is needed. */
  install: string | null;
  files: Array<{ name: string; code: string }>;
  /** The build's default output folder. Null: it writes no scripts. */
  folder: string | null;
  /** A remark. Null: there is none. */
  remark: string | null;
}

/** Instructions for each tool that uploads from a build, with the project's own values. */
export function listSetUpSnippets(context: ExplainContext): SetUpSnippet[] {
  const { serverUrl, org, project } = context;
  const others = [
    `org: ${JSON.stringify(org)},`,
    `project: ${JSON.stringify(project)},`,
    "authToken: process.env.SENTRY_AUTH_TOKEN,",
    "telemetry: false,",
  ];
  const options = [`url: ${JSON.stringify(`${serverUrl}/`)},`, ...others];
  const indent = (lines: string[], spaces: number) => lines.map((line) => `${" ".repeat(spaces)}${line}`).join("\n");
  return [
    {
      id: "sentry-cli",
      label: "sentry-cli",
      folder: "./dist",
      install: "npm install --save-dev @sentry/cli",
      files: [
        {
          name: "After the build, before the deploy",
          code: [injectCommand(), uploadCommand(context)].map((line) => `npx ${line}`).join("\n"),
        },
      ],
      remark:
        "Deploy the folder as “inject” has changed it. This works for every bundler that writes source maps, and for TypeScript’s compiler with sourceMap and inlineSources.",
    },
    {
      id: "vite",
      label: "Vite",
      folder: "./dist",
      install: "npm install --save-dev @sentry/vite-plugin",
      files: [
        {
          name: "vite.config.ts",
          code: `import { sentryVitePlugin } from "@sentry/vite-plugin";
import { defineConfig } from "vite";

export default defineConfig({
  build: { sourcemap: "hidden" },
  plugins: [
    // After all others.
    sentryVitePlugin({
${indent(options, 6)}
    }),
  ],
});`,
        },
      ],
      remark: null,
    },
    {
      id: "webpack",
      label: "webpack",
      folder: "./dist",
      install: "npm install --save-dev @sentry/webpack-plugin",
      files: [
        {
          name: "webpack.config.js",
          code: `const { sentryWebpackPlugin } = require("@sentry/webpack-plugin");

module.exports = {
  devtool: "hidden-source-map",
  plugins: [
    sentryWebpackPlugin({
${indent(options, 6)}
    }),
  ],
};`,
        },
      ],
      remark: null,
    },
    {
      id: "esbuild",
      label: "esbuild",
      folder: "./dist",
      install: "npm install --save-dev @sentry/esbuild-plugin",
      files: [
        {
          name: "build.mjs",
          code: `import { sentryEsbuildPlugin } from "@sentry/esbuild-plugin";
import { build } from "esbuild";

await build({
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  minify: true,
  sourcemap: "external",
  plugins: [
    // After all others.
    sentryEsbuildPlugin({
${indent(options, 6)}
    }),
  ],
});`,
        },
      ],
      remark: null,
    },
    {
      id: "react-router",
      label: "React Router",
      folder: "./build",
      install: "npm install @sentry/react-router",
      files: [
        {
          name: "vite.config.ts",
          code: `import { reactRouter } from "@react-router/dev/vite";
import { sentryReactRouter, type SentryReactRouterBuildOptions } from "@sentry/react-router";
import { defineConfig } from "vite";

const sentryConfig: SentryReactRouterBuildOptions = {
  org: ${JSON.stringify(org)},
  project: ${JSON.stringify(project)},
  authToken: process.env.SENTRY_AUTH_TOKEN,
  telemetry: false,
};

export default defineConfig((env) => ({
  build: { sourcemap: "hidden" },
  plugins: [reactRouter(), sentryReactRouter(sentryConfig, env)],
}));`,
        },
        {
          name: "react-router.config.ts",
          code: `import type { Config } from "@react-router/dev/config";
import { sentryOnBuildEnd } from "@sentry/react-router";

export default {
  ssr: true,
  buildEnd: async ({ viteConfig, reactRouterConfig, buildManifest }) => {
    await sentryOnBuildEnd({ viteConfig, reactRouterConfig, buildManifest });
  },
} satisfies Config;`,
        },
      ],
      remark:
        "The hook injects debug ids and uploads once both builds are there. It reads the address from SENTRY_URL alone, unless the token carries it.",
    },
    {
      id: "nextjs",
      label: "Next.js",
      folder: "./.next",
      install: "npm install @sentry/nextjs",
      files: [
        {
          name: "next.config.ts",
          code: `import { withSentryConfig } from "@sentry/nextjs/config";

export default withSentryConfig(
  { /* your config */ },
  {
    sentryUrl: ${JSON.stringify(`${serverUrl}/`)},
${indent(others, 4)}
    widenClientFileUpload: true,
  },
);`,
        },
      ],
      remark:
        "With widenClientFileUpload, the maps of React and other packages are uploaded, too. Without it, their frames stay minified and count as those of the app.",
    },
    {
      id: "nuxt",
      label: "Nuxt",
      folder: "./.output",
      install: "npm install @sentry/nuxt",
      files: [
        {
          name: "nuxt.config.ts",
          code: `export default defineNuxtConfig({
  modules: ["@sentry/nuxt/module"],
  sentry: {
    sentryUrl: ${JSON.stringify(`${serverUrl}/`)},
${indent(others, 4)}
  },
  sourcemap: { client: "hidden", server: true },
  buildDir: ".nuxt",
  nitro: { experimental: { sourcemapMinify: false } },
});`,
        },
      ],
      remark:
        "The last two lines keep Nitro from emptying source maps: by default it empties those of pages and packages on the server.",
    },
    {
      id: "sveltekit",
      label: "SvelteKit",
      folder: "./build",
      install: "npm install @sentry/sveltekit",
      files: [
        {
          name: "vite.config.js",
          code: `import { sentrySvelteKit } from "@sentry/sveltekit";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

export default defineConfig({
  build: { sourcemap: true },
  plugins: [
    // Before all others.
    sentrySvelteKit({
      sentryUrl: ${JSON.stringify(`${serverUrl}/`)},
${indent(others, 6)}
      sourcemaps: { filesToDeleteAfterUpload: ["./build/**/*.map", "./.svelte-kit/**/*.map"] },
    }),
    sveltekit(),
  ],
});`,
        },
      ],
      remark:
        "Leave sourcemap at true. With “hidden”, frames of the server end in .svelte-kit/output instead of your source. The maps are deleted after the upload.",
    },
    {
      id: "astro",
      label: "Astro",
      folder: "./dist",
      install: "npm install @sentry/astro",
      files: [
        {
          name: "astro.config.mjs",
          code: `import sentry from "@sentry/astro";
import { defineConfig } from "astro/config";

export default defineConfig({
  integrations: [
    sentry({
      sentryUrl: ${JSON.stringify(`${serverUrl}/`)},
${indent(others, 6)}
    }),
  ],
});`,
        },
      ],
      remark: null,
    },
    {
      id: "android",
      label: "Android",
      folder: null,
      install: null,
      files: [
        {
          name: "app/build.gradle.kts",
          code: `plugins {
    id("com.android.application")
    id("io.sentry.android.gradle") version "6.19.0"
}

sentry {
    org.set(${JSON.stringify(org)})
    projectName.set(${JSON.stringify(project)})
    authToken.set(System.getenv("SENTRY_AUTH_TOKEN"))
    telemetry.set(false)
}`,
        },
      ],
      remark:
        "The plugin gives each release build an id, and uploads the mapping of R8 under it. Events name the id, so no release is needed.",
    },
  ];
}

/** The command that a pipeline runs after the upload, for the folder of the build. It fails if a map is missing. */
export function checkCommand({ serverUrl, org, project }: ExplainContext, folder: string): string {
  const url = `${serverUrl}/api/0/projects/${org}/${project}/sourcemaps/doctor/`;
  return [
    `grep -rhoE --include='*.js' --include='*.mjs' --include='*.cjs' '(debugId=|sentry-dbid-)[0-9a-fA-F-]{36}' ${folder} |`,
    "  sed -E 's/^.*(.{36})$/debugId=\\1/' | sort -u | paste -sd '&' - |",
    '  curl --fail-with-body --silent --show-error --header "Authorization: Bearer $SENTRY_AUTH_TOKEN" \\',
    `    --data @- ${url}`,
  ].join("\n");
}
