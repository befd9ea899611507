import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { SAMPLE_LIMITS, type VolumeSettings } from "../../domain/volume/volume-settings.ts";
import { changeVolume } from "../../features/limits/change-volume.server.ts";
import { getSpike } from "../../features/limits/get-spike.server.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const sample = z
  .object({
    above: z.int().min(1).max(SAMPLE_LIMITS.above).describe("events of one issue an hour that are all stored"),
    keepOneIn: z.int().min(2).max(SAMPLE_LIMITS.keepOneIn),
  })
  .nullable()
  .describe("null: all events of loud issues are stored");

const volumeAnswer = z.object({
  spikeProtection: z.boolean(),
  sample,
  spike: z
    .object({ arrived: z.int(), notStored: z.int(), bound: z.int(), usual: z.int() })
    .nullable()
    .describe("errors of the hour that runs, while the protection holds"),
});

const volumeChange = z.object({ spikeProtection: z.boolean().optional(), sample: sample.optional() });
const VOLUME = "/projects/{organization}/{project}/volume/";
const answers = { 200: { what: "What is stored of the errors", json: volumeAnswer } };

export const VOLUME_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: VOLUME,
    scopes: ["project:read"],
    summary: "What of a project's errors is counted and not stored.",
    answers,
    handle: ({ workspace, project, now }) => show(workspace, project.id, now),
  }),
  endpoint({
    method: "PUT",
    path: VOLUME,
    scopes: ["project:write"],
    summary: "Switches spike protection, and the sample of loud issues. Fields that are absent stay.",
    body: { json: volumeChange },
    answers,
    async handle({ workspace, project, body, now }) {
      const change: Partial<VolumeSettings> = {
        ...(body.spikeProtection !== undefined && { isSpikeProtected: body.spikeProtection }),
        ...(body.sample === null && { sampleAbove: null }),
        ...(body.sample && { sampleAbove: body.sample.above, keepOneIn: body.sample.keepOneIn }),
      };
      const saved = await changeVolume(workspace, project.id, change);
      if (!saved.ok) throw refusal(saved.status, saved.message);
      return show(workspace, project.id, now);
    },
  }),
];

async function show(workspace: Workspace, projectId: number, now: number): Promise<Response> {
  const rules = await workspace.state.rules.getRules(workspace.scope, projectId);
  if (rules === null) throw refusal(404, "The requested project does not exist");
  const { isSpikeProtected, sampleAbove, keepOneIn } = rules.volume;
  return answer({
    spikeProtection: isSpikeProtected,
    sample: sampleAbove === null ? null : { above: sampleAbove, keepOneIn },
    spike: await getSpike(workspace, projectId, now),
  });
}
