import { sentryEsbuildPlugin } from "@sentry/esbuild-plugin";
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  packages: "external",
  sourcemap: "external",
  // URL, organization, project and token come from the environment.
  plugins: [
    sentryEsbuildPlugin({
      release: { name: "worker@3.0.1", deploy: { env: "production" } },
      sourcemaps: { filesToDeleteAfterUpload: ["dist/**/*.map"] },
      // By default the build goes on without its source maps.
      errorHandler: process.env.MUST_UPLOAD
        ? (error) => {
            throw error;
          }
        : undefined,
    }),
  ],
});
