import { CODE_HOSTS, type CodeHost, type SourceLinks } from "../../domain/source-link.ts";

const MAX_LENGTH = 500;

export type SourceLinkField = "host" | "repositoryUrl" | "template" | "defaultBranch" | "stripPrefix" | "sourceRoot";

/** Null links: `host` is empty, the project has none. */
export function parseSourceLinkForm(
  form: FormData,
): { ok: true; links: SourceLinks | null } | { ok: false; field: SourceLinkField; error: string } {
  const text = (name: SourceLinkField) => String(form.get(name) ?? "").trim();
  const host: CodeHost | undefined = CODE_HOSTS.find((name) => name === text("host"));
  if (!host) {
    return text("host") === "" ? { ok: true, links: null } : { ok: false, field: "host", error: "Choose a host." };
  }
  for (const field of ["repositoryUrl", "template", "defaultBranch", "stripPrefix", "sourceRoot"] as const) {
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
  return {
    ok: true,
    links: {
      host,
      repositoryUrl: repository,
      template,
      defaultBranch: text("defaultBranch") || "main",
      stripPrefix: text("stripPrefix"),
      sourceRoot: text("sourceRoot").replace(/^\/+|\/+$/g, ""),
    },
  };
}

/** Without what is not part of the page's address; null for nothing, undefined for what is no such address. */
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
  // What is filled in must not decide where the link leads.
  const isFixed = /^https?:\/\/[^/{}?#]+\//i.test(template) && URL.canParse(sample);
  return isFixed ? null : "A whole address, like https://code.example/shop/{revision}/{path}#{line}.";
}
