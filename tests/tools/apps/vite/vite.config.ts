import { sentryVitePlugin } from "@sentry/vite-plugin";
import { defineConfig } from "vite";

// URL, organization, project and token come from the environment; the release is the commit that is checked out.
export default defineConfig({
  build: { sourcemap: "hidden" },
  plugins: [
    sentryVitePlugin({
      release: { deploy: { env: "production" } },
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
