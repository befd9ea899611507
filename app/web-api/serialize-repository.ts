import { z } from "zod";
import type { Repository } from "../domain/repository.ts";
import { CODE_HOST_NAMES } from "../domain/source-link.ts";
import { toIso } from "./answers.ts";
import { id, instant } from "./shapes.ts";

export const repositoryAnswer = z.object({
  id,
  name: z.string(),
  provider: z.object({ id: z.string(), name: z.string() }),
  url: z.string().nullable(),
  status: z.enum(["active", "disabled"]),
  dateCreated: instant,
  externalSlug: z.string(),
  externalId: z.null(),
  integrationId: z.null(),
});

export function serializeRepository({
  id,
  name,
  provider,
  url,
  status,
  createdAt,
}: Repository): z.input<typeof repositoryAnswer> {
  return {
    id: String(id),
    name,
    provider: provider
      ? { id: provider, name: provider === "other" ? "Other" : CODE_HOST_NAMES[provider] }
      : { id: "unknown", name: "Unknown Provider" },
    url,
    status,
    dateCreated: toIso(createdAt),
    externalSlug: name,
    externalId: null,
    integrationId: null,
  };
}
