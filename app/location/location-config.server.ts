import { booleanVariable, parsedVariable, readVariableText } from "../config-variable.server.ts";

export interface LocationConfig {
  /** `https://culprit.example.com`, without a trailing slash. */
  server: string;
  organization: string;
  token: string;
  allowsPrivate: boolean;
}

const TOKEN = parsedVariable<string | null>({
  default: null,
  wants: "the token that the page Locations has shown",
  what: "The token of the location.",
  why: "only the server can make one",
  isSecret: true,
  parse: (text) => ({ ok: true, value: text }),
});
const SERVER = parsedVariable<string | null>({
  default: null,
  wants: "an address like https://culprit.example.com",
  what: "Where the server is reached from here.",
  why: "the token says it",
  parse: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? { ok: true, value: text } : { ok: false }),
});
const PRIVATE = booleanVariable({
  default: false,
  what: "Let this location ask private and loopback addresses.",
  why: "who edits a project could otherwise look around in the network of the location",
});

/** @throws with every problem, each naming its variable and no secret. */
export function readLocationConfig(env: Readonly<Record<string, string | undefined>>): LocationConfig {
  const problems: string[] = [];
  const read = <Value>(name: string, variable: ReturnType<typeof parsedVariable<Value>>): Value => {
    const found = readVariableText(name, variable, env);
    if ("problem" in found) problems.push(found.problem);
    else if (found.text !== "") {
      const parsed = variable.parse(found.text);
      if (parsed.ok) return parsed.value;
      problems.push(`${found.source} must be ${variable.wants}`);
    }
    return variable.default;
  };
  const token = read("CULPRIT_LOCATION_TOKEN", TOKEN);
  const server = read("CULPRIT_LOCATION_SERVER", SERVER);
  const allowsPrivate = read("ALLOW_PRIVATE_CHECKS", PRIVATE);
  const carried = token === null ? null : readCarried(token);
  if (token === null && problems.length === 0)
    problems.push(`CULPRIT_LOCATION_TOKEN, or CULPRIT_LOCATION_TOKEN_FILE, must be ${TOKEN.wants}`);
  if (token !== null && carried === null) problems.push(`CULPRIT_LOCATION_TOKEN is not ${TOKEN.wants}`);
  if (token === null || carried === null || problems.length > 0) throw new Error(problems.join("\n"));
  const url = server ?? carried.url;
  return { server: url.replace(/\/+$/, ""), organization: carried.org, token, allowsPrivate };
}

/** What a token of the organization carries: `sntrys_<base64 of JSON>_<chance>`. Null: it is none. */
function readCarried(token: string): { url: string; org: string } | null {
  const [kind, carried = ""] = token.split("_");
  if (kind !== "sntrys") return null;
  try {
    const { url, org }: Record<string, unknown> = JSON.parse(Buffer.from(carried, "base64").toString("utf8"));
    return typeof url === "string" && typeof org === "string" && URL.canParse(url) ? { url, org } : null;
  } catch {
    return null;
  }
}
