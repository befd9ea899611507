import type { LogSnippet } from "./snippets.ts";

export const npm = (name: string) => [
  { label: "npm", code: `npm install ${name}` },
  { label: "yarn", code: `yarn add ${name}` },
  { label: "pnpm", code: `pnpm add ${name}` },
];

/** Options of `Sentry.init` in JavaScript, indented like its others. */
export const JS_OPTIONS = `release: "my-app@1.0.0",
  environment: "production",
  tracesSampleRate: 0.2, // one trace in five`;

export const toInit = (sdk: string) => `import * as Sentry from "${sdk}";

Sentry.init({
  dsn: "DSN",
  ${JS_OPTIONS}
});`;

/** A file that does nothing else. */
export const toInitFile = (name: string, sdk: string) => ({ name, code: toInit(sdk) });

export const JS_THROW = `setTimeout(() => {\n  throw new Error("Hello, Culprit");\n});`;

export const JS_LOGS: LogSnippet = {
  place: "In each Sentry.init",
  option: "enableLogs: true,",
  call: `Sentry.logger.info("Hello, logs", { items: 3 });`,
};
