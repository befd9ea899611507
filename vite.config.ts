import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { CLIENT_CHUNK_GROUPS } from "./app/server/client-chunks.ts";
import { enginePlugin } from "./app/server/vite-engine-plugin.ts";
import { iconsPlugin } from "./app/server/vite-icons-plugin.ts";
import { nodeHttpPlugin } from "./app/server/vite-node-http-plugin.ts";
import { packagesPlugin } from "./app/server/vite-packages-plugin.ts";

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), enginePlugin(), iconsPlugin(), nodeHttpPlugin(), packagesPlugin()],
  // Found only when the first page asks for them, they would make its entry module fail once in a fresh checkout.
  optimizeDeps: {
    include: [
      "@sentry/react-router",
      "react",
      "react/jsx-runtime",
      "react/jsx-dev-runtime",
      "react-dom/client",
      "react-router",
      "react-router/dom",
      "lucide-react",
      "radix-ui",
    ],
  },
  // Few files in the place of many: each is compressed by itself, and small ones badly. It saves 11 kB of the first load.
  environments: {
    ssr: {
      build: {
        rolldownOptions: {
          output: {
            // V8 keeps the text of what it runs, two bytes a character where one of them is beyond Latin-1. Lines stay: stacks tell them.
            comments: false,
            minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
          },
        },
      },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
                // What every page is made of, and what the lists with a search share: one file compresses better than two. Not what is
                // loaded when someone opens a menu, a dialog or the palette, nor what few pages have: graphs, durations, code, secrets.
                {
                  name: "ui",
                  test: /\/app\/(ui\/(?!.*overlay\.|dialog|bar-graph|button-form|card|choice-links|code-block|code-field|copy-field|disclosure|format-bytes|format-duration|graph-|group-error|intent-form|key-value-list|name-text|search-input|secret-notice|sent-fields|time-graph|kept-focus|numbered-pages|options|table|use-answer-in-sight|use-copy-link|use-range-drag|use-row-keys)|features\/(frame\/(?!at-rest|command-list|page-actions|settings-|shortcut|use-(found|reader|sends))|live\/|projects\/platform-mark)|navigation\/(?!keep-while-same|use-revalidation|learn-imports|say-new-page)|sentry\/(fault-event-id|start-browser|baggage|delegating|browser-monitoring)|features\/(filters\/(filter-form|time-ranges|filter-params)|views\/(saved-views|use-view-counts)|search\/(search-field|search-refusal|remembered-searches|focus-search)\.))|\/lucide-react\/dist\/esm\/icons\/(alarm-clock|archive|arrow-up|chevron-down|star|trash)\./,
                },
                ...CLIENT_CHUNK_GROUPS,
              ],
            },
          },
        },
      },
    },
  },
  // What pages take of libraries is a part of them: bundled, a start takes a fifth less processor time and 10 MB less memory.
  // These four stay outside, because server code outside of the bundle shares their instances.
  ssr:
    command === "build"
      ? { noExternal: true, external: ["react", "react-dom", "react-router", "@react-router/node"] }
      : {},
}));
