import { findNearestKey } from "./nearest-key.ts";

/**
 * Tools ask for names of the conventions of OpenTelemetry and Sentry whether or not rows have them, like `sentry log view` for
 * `code.function`.
 */
const CONVENTIONS =
  /^(?:ai|app|aws|browser|cache|client|cloud|code|container|db|deployment|device|error|event|exception|faas|gen_ai|geo|graphql|host|http|k8s|mcp|measurements|messaging|navigation|net|network|os|peer|precise|process|profile|replay|resource|rpc|sdk|sentry|server|service|session|span|telemetry|thread|trace|transaction|url|user|user_agent)\./;

/**
 * The number of wrong letters at which a key counts as misspelt. Names of a convention resemble each other: `gen_ai.agent.name` is not
 * a misspelt `gen_ai.tool.name`.
 */
const MISSPELT_LETTERS = 2;

/** Whether a key has a name of a convention, and is not one of the known keys with a mistake in it. */
export function isConventionalName(key: string, known: readonly string[]): boolean {
  const beginning = key.slice(0, key.indexOf(".") + 1);
  const alike = known.filter((each) => each.startsWith(beginning));
  return isOfConvention(key) && findNearestKey(key, alike, MISSPELT_LETTERS) === null;
}

export function isOfConvention(key: string): boolean {
  return CONVENTIONS.test(key);
}
