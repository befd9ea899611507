import { join } from "node:path";
import { sentryWebpackPlugin } from "@sentry/webpack-plugin";

/** @type {import("webpack").Configuration} */
export default {
  mode: "production",
  target: "node",
  entry: "./src/main.js",
  output: { path: join(import.meta.dirname, "dist"), filename: "[name].cjs" },
  externals: { "@sentry/node": "commonjs @sentry/node" },
  devtool: "hidden-source-map",
  // URL, organization, project and token come from the environment.
  plugins: [
    sentryWebpackPlugin({
      release: { name: "shop@2.1.0", deploy: { env: "production" } },
      sourcemaps: { filesToDeleteAfterUpload: ["dist/**/*.map"] },
      // By default the build goes on without its source maps.
      errorHandler: process.env.MUST_UPLOAD
        ? (error) => {
            throw error;
          }
        : undefined,
    }),
  ],
};
