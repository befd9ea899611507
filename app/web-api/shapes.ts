import { z } from "zod";

// Pieces of answers that several endpoints share.

/** RFC 3339, UTC. */
export const instant = z.iso.datetime();
/** Ids are texts, unless said otherwise. */
export const id = z.string().regex(/^\d+$/);

export const projectBrief = z.object({ id, name: z.string(), slug: z.string(), platform: z.string() });

export const detail = z.object({ detail: z.string() });
