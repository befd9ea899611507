import { z } from "zod";
import type { Endpoint } from "../endpoint.ts";
import { id, instant, projectBrief } from "./shapes.ts";

const environmentStatus = z.enum(["active", "ok", "error"]);

const monitor = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  type: z.literal("cron_job"),
  status: z.literal("active"),
  isMuted: z.boolean(),
  owner: z.null(),
  dateCreated: instant,
  project: projectBrief,
  config: z
    .object({
      schedule_type: z.enum(["crontab", "interval"]),
      schedule: z.union([z.string(), z.tuple([z.int(), z.string()])]),
      checkin_margin: z.int().nullable(),
      max_runtime: z.int().nullable(),
      timezone: z.string().nullable(),
      failure_issue_threshold: z.int().nullable(),
      recovery_threshold: z.int().nullable(),
    })
    .nullable()
    .describe("the last one that a check-in carried"),
  environments: z.array(
    z.object({
      name: z.string(),
      status: environmentStatus.describe("of the last check-in that has ended; `active`: none has"),
      isMuted: z.boolean(),
      dateCreated: instant,
      lastCheckIn: instant,
      lastCheckInStatus: z.enum(["in_progress", "ok", "error", "unknown"]),
      nextCheckIn: z.null(),
      nextCheckInLatest: z.null(),
    }),
  ),
});

export const MONITOR_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/organizations/{organization}/monitors/",
    scopes: ["org:read", "project:read"],
    summary:
      "Monitors that check-ins have named, by slug. Nobody watches their schedules yet. `X-Check-Ins-Left-Out` counts those that found no room.",
    query: {
      query: "Part of the slug",
      project: "Number or slug, repeatable; -1 for all",
      environment: "Repeatable",
      per_page: "1 to 100",
      cursor: "From the `Link` header",
    },
    answers: { 200: { what: "Monitors", json: z.array(monitor) } },
  },
];
