import { z } from "zod";
import type { OwnershipSettings } from "../../domain/ownership/ownership-settings.ts";
import { changeOwnership } from "../../features/owners/change-ownership.server.ts";
import { getOwnersPage } from "../../features/owners/get-owners-page.server.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const BY_RULES = "Auto Assign to Issue Owner";
const BY_COMMITS = "Auto Assign to Suspect Commits";
const OFF = "Turn off Auto-Assignment";

const ownershipAnswer = z.object({
  raw: z.string().describe("one rule a line"),
  fallthrough: z.literal(false).describe("an issue that no rule takes has no owner"),
  autoAssignment: z.enum([BY_RULES, OFF]),
  codeownersAutoSync: z.literal(false),
  isActive: z.literal(true),
  dateCreated: z.null(),
  lastUpdated: z.null(),
});

const ownershipChange = z.object({
  raw: z.string().optional().describe("one rule a line"),
  fallthrough: z.boolean().optional().describe("false: nobody owns what no rule takes"),
  autoAssignment: z.enum([BY_RULES, BY_COMMITS, OFF]).optional().describe(`"${BY_COMMITS}" is refused`),
  codeownersAutoSync: z.boolean().optional().describe("true is refused"),
});

const OWNERSHIP = "/projects/{organization}/{project}/ownership/";

export const OWNERSHIP_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: OWNERSHIP,
    scopes: ["project:read"],
    summary: "The ownership rules of a project, and whether they assign.",
    answers: { 200: { what: "Ownership", json: ownershipAnswer } },
    async handle({ workspace, project }) {
      const page = await getOwnersPage(workspace, project);
      if (page === null) throw refusal(404, "The requested project does not exist");
      return answer(serialize(page.ownership));
    },
  }),
  endpoint({
    method: "PUT",
    path: OWNERSHIP,
    scopes: ["project:write"],
    summary: "Changes the ownership rules. Fields that are absent stay.",
    body: { json: ownershipChange },
    answers: { 200: { what: "Ownership", json: ownershipAnswer } },
    async handle({ workspace, project, body }) {
      const { raw, fallthrough, autoAssignment, codeownersAutoSync } = body;
      if (fallthrough) throw refusal(400, "fallthrough: Must be false. An issue that no rule takes has no owner here.");
      if (codeownersAutoSync)
        throw refusal(400, "codeownersAutoSync: Must be false. CODEOWNERS files are imported by hand.");
      if (autoAssignment === BY_COMMITS)
        throw refusal(400, `autoAssignment: Must be "${BY_RULES}" or "${OFF}". Suspect commits do not assign here.`);
      const changed = await changeOwnership(workspace, project, {
        ...(raw === undefined ? {} : { text: raw }),
        ...(autoAssignment === undefined ? {} : { isAssigning: autoAssignment === BY_RULES }),
      });
      if (!changed.ok)
        throw refusal(changed.status, changed.field === "text" ? `raw: ${changed.message}` : changed.message);
      return answer(serialize(changed.ownership));
    },
  }),
];

function serialize({ text, isAssigning }: OwnershipSettings): z.input<typeof ownershipAnswer> {
  return {
    raw: text,
    fallthrough: false,
    autoAssignment: isAssigning ? BY_RULES : OFF,
    codeownersAutoSync: false,
    isActive: true,
    dateCreated: null,
    lastUpdated: null,
  };
}
