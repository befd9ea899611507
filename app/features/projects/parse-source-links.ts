import { type CodeMapping, MAX_ROOT_LENGTH } from "../../domain/code-mapping.ts";
import { CODE_HOSTS, type CodeHost, type SourceLinks } from "../../domain/source-link.ts";
import type { SourceLinkDraft } from "./source-link-draft.ts";

const MAX_LENGTH = 500;

/** A field of the form. Fields of rows end with the row's index, from 0: `stackRoot:2`. */
export type SourceLinkField =
  | "host"
  | "repositoryUrl"
  | "template"
  | "defaultBranch"
  | `stackRoot:${number}`
  | `sourceRoot:${number}`;

type Refusal = { ok: false; field: SourceLinkField; error: string };

/** Null links: `host` is empty, so the project has no links. */
export function parseSourceLinks(draft: SourceLinkDraft): { ok: true; links: SourceLinks | null } | Refusal {
  const text = (name: Exclude<keyof SourceLinkDraft, "codeMappings">) => draft[name].trim();
  const host: CodeHost | undefined = CODE_HOSTS.find((name) => name === text("host"));
  if (!host) {
    return text("host") === "" ? { ok: true, links: null } : { ok: false, field: "host", error: "Choose a host." };
  }
  for (const field of ["repositoryUrl", "template", "defaultBranch"] as const) {
    if (text(field).length > MAX_LENGTH) return { ok: false, field, error: `At most ${MAX_LENGTH} characters.` };
  }
  const repository = readRepository(text("repositoryUrl"));
  if (repository === undefined) {
    return {
      ok: false,
      field: "repositoryUrl",
      error: "The address of the repository’s page, like https://github.com/acme/shop.",
    };
  }
  if (repository === null && host !== "other") {
    return {
      ok: false,
      field: "repositoryUrl",
      error: "Say where the repository is, like https://github.com/acme/shop.",
    };
  }
  const template = host === "other" ? text("template") : null;
  if (template !== null) {
    const error = findTemplateFault(template);
    if (error) return { ok: false, field: "template", error };
  }
  const mappings = parseMappings(draft.codeMappings);
  if (!mappings.ok) return mappings;
  return {
    ok: true,
    links: {
      host,
      repositoryUrl: repository,
      template,
      defaultBranch: text("defaultBranch") || "main",
      codeMappings: mappings.codeMappings,
    },
  };
}

function parseMappings(rows: readonly CodeMapping[]): { ok: true; codeMappings: CodeMapping[] } | Refusal {
  const codeMappings: CodeMapping[] = [];
  for (const [index, row] of rows.entries()) {
    const [stackRoot, sourceRoot] = [row.stackRoot.trim(), row.sourceRoot.trim()];
    if (stackRoot === "" && sourceRoot === "") continue;
    const fault = (field: "stackRoot" | "sourceRoot", error: string): Refusal => ({
      ok: false,
      field: `${field}:${index}`,
      error,
    });
    if (stackRoot.length > MAX_ROOT_LENGTH) return fault("stackRoot", `At most ${MAX_ROOT_LENGTH} characters.`);
    if (sourceRoot.length > MAX_ROOT_LENGTH) return fault("sourceRoot", `At most ${MAX_ROOT_LENGTH} characters.`);
    const mapping = toCodeMapping(stackRoot, sourceRoot);
    if (mapping === null)
      return fault(
        "sourceRoot",
        "A folder of the repository, like packages/web, not an address and not above its root.",
      );
    if (codeMappings.some((other) => other.stackRoot === mapping.stackRoot))
      return fault("stackRoot", "A row above begins with the same, so that this one would never be taken.");
    codeMappings.push(mapping);
  }
  return { ok: true, codeMappings };
}

/** Null: the second path is not a folder of a repository. */
export function toCodeMapping(stackRoot: string, sourceRoot: string): CodeMapping | null {
  const folder = sourceRoot.replaceAll("\\", "/");
  if (/^[a-z][a-z0-9+.-]*:/i.test(folder)) return null;
  const segments = folder.split("/").filter((part) => part !== "" && part !== ".");
  return segments.includes("..") ? null : { stackRoot, sourceRoot: segments.join("/") };
}

/**
 * The address of the repository's page, without parts that do not belong to it. Null: the text is empty. Undefined: the address is
 * not valid.
 */
function readRepository(text: string): string | null | undefined {
  if (text === "") return null;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname, username } = new URL(text);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return path === "" || username !== "" ? undefined : origin + path;
}

const PLACEHOLDERS = new Set(["path", "line", "column", "revision"]);

function findTemplateFault(template: string): string | null {
  if (!template.includes("{path}")) return "It needs {path}, which is where the file goes.";
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !PLACEHOLDERS.has(name ?? ""));
  if (unknown) return `“${unknown[0]}” is not known. It can be {path}, {line}, {column} and {revision}.`;
  const sample = template.replace(/\{[a-z]+\}/g, "x");
  // The values that are filled in must not decide which server the link leads to.
  const isFixed = /^https?:\/\/[^/{}?#]+\//i.test(template) && URL.canParse(sample);
  return isFixed ? null : "A whole address, like https://code.example/shop/{revision}/{path}#{line}.";
}
