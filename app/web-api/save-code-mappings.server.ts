import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import { type CodeMapping, MAX_CODE_MAPPINGS, MAX_ROOT_LENGTH } from "../domain/code-mapping.ts";
import { isSameRepository, type SourceLinks } from "../domain/source-link.ts";
import { toCodeMapping } from "../features/projects/parse-source-links.ts";
import { refusal } from "./answers.ts";
import { findProject } from "./find-named.server.ts";

/** The most mappings in one call: sentry-cli cuts a file of mappings into parts of this size. */
const MAX_MAPPINGS_OF_CALL = 300;
const root = z.string().max(MAX_ROOT_LENGTH);

export const codeMappings = z.object({
  project: z.string().describe("slug or number"),
  repository: z.string().min(1).max(200).describe("like acme/shop"),
  defaultBranch: z.string().max(MAX_ROOT_LENGTH).nullish(),
  mappings: z
    .array(
      z.object({
        stackRoot: root.describe("what paths in stacks begin with"),
        sourceRoot: root.describe("folder of the repository"),
      }),
    )
    .min(1)
    .max(MAX_MAPPINGS_OF_CALL),
});

export const codeMappingsAnswer = z.object({
  created: z.int(),
  updated: z.int(),
  errors: z.int(),
  mappings: z.array(
    z.object({
      stackRoot: z.string(),
      sourceRoot: z.string(),
      status: z.enum(["created", "updated", "error"]),
      detail: z.string().optional().describe("only of an error"),
    }),
  ),
});
type CodeMappingsAnswer = z.output<typeof codeMappingsAnswer>;

/**
 * Adds mappings to the links of a project, or changes those with the same stack root. A mapping that is refused has its reason in the
 * answer, which still has status 200: sentry-cli does not show the text of a refused request.
 * @throws a 400 answer that names the field, or 404.
 */
export async function saveCodeMappings(
  workspace: Workspace,
  { project: slugOrId, repository, defaultBranch, mappings }: z.output<typeof codeMappings>,
): Promise<CodeMappingsAnswer> {
  const project = await findProject(workspace, slugOrId);
  if (!project) throw refusal(404, `There is no project "${slugOrId.slice(0, 60)}".`);
  const links = project.sourceLinks ?? (await toLinksOfRepository(workspace, repository));
  const fault = findRepositoryFault(links, repository);
  if (links === null || fault !== null) {
    return toAnswer(mappings.map((mapping) => ({ ...mapping, status: "error", detail: fault ?? "" })));
  }
  const merged = mergeMappings(links.codeMappings, mappings);
  if (merged.answers.some(({ status }) => status !== "error")) {
    const branch = defaultBranch?.trim() || links.defaultBranch;
    await workspace.state.projects.changeProject(workspace.scope, project.id, {
      sourceLinks: { ...links, defaultBranch: branch, codeMappings: merged.codeMappings },
    });
    await workspace.reloadKeys();
  }
  return toAnswer(merged.answers);
}

/**
 * Links for a project that has none, from the known repository of this name. The name alone does not say which host has the repository.
 * Null: no repository with a known host has this name.
 */
async function toLinksOfRepository({ state }: Workspace, name: string): Promise<SourceLinks | null> {
  const { repositories } = await state.repositories.listRepositories({
    status: "active",
    text: name,
    cursor: null,
    limit: 100,
  });
  for (const { name: known, provider, url } of repositories) {
    if (known.toLowerCase() !== name.toLowerCase() || url === null || provider === null || provider === "other")
      continue;
    return { host: provider, repositoryUrl: url, template: null, defaultBranch: "main", codeMappings: [] };
  }
  return null;
}

function findRepositoryFault(links: SourceLinks | null, repository: string): string | null {
  if (links === null)
    return "The project has no repository yet. Say where it is in its settings, under Links to the code, and upload again.";
  if (links.repositoryUrl === null || isSameRepository(links, repository)) return null;
  return `The repository of the project is ${links.repositoryUrl}, not ${repository}.`;
}

type MappingAnswer = CodeMappingsAnswer["mappings"][number];

function mergeMappings(
  known: readonly CodeMapping[],
  sent: readonly CodeMapping[],
): { codeMappings: CodeMapping[]; answers: MappingAnswer[] } {
  const codeMappings = [...known];
  const answers = sent.map(({ stackRoot, sourceRoot }): MappingAnswer => {
    const said = { stackRoot, sourceRoot };
    const mapping = toCodeMapping(stackRoot.trim(), sourceRoot.trim());
    if (mapping === null)
      return { ...said, status: "error", detail: "The source root must be a folder of the repository." };
    const index = codeMappings.findIndex((other) => other.stackRoot === mapping.stackRoot);
    if (index >= 0) {
      codeMappings[index] = mapping;
      return { ...said, status: "updated" };
    }
    if (codeMappings.length >= MAX_CODE_MAPPINGS)
      return { ...said, status: "error", detail: `A project has at most ${MAX_CODE_MAPPINGS} mappings.` };
    // A mapping after one that fits any path would never be tried.
    const end = codeMappings.findIndex((other) => other.stackRoot === "");
    codeMappings.splice(end < 0 ? codeMappings.length : end, 0, mapping);
    return { ...said, status: "created" };
  });
  return { codeMappings, answers };
}

function toAnswer(mappings: MappingAnswer[]): CodeMappingsAnswer {
  const count = (status: MappingAnswer["status"]) => mappings.filter((mapping) => mapping.status === status).length;
  return { created: count("created"), updated: count("updated"), errors: count("error"), mappings };
}
