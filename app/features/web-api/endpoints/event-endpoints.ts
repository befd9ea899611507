import { z } from "zod";
import type { Endpoint, EndpointAnswer } from "../endpoint.ts";
import { id, instant } from "./shapes.ts";

const eventId = z.string().regex(/^[0-9a-f]{32}$/);
const text = z.string().nullable();

const eventRow = z.object({
  id: eventId,
  eventID: eventId,
  "event.type": z.string(),
  groupID: id,
  projectID: id,
  project: z.int(),
  title: z.string(),
  message: z.string(),
  culprit: text,
  location: text,
  platform: z.string(),
  type: z.string(),
  dateCreated: instant,
  dateReceived: instant,
  size: z.int(),
  user: z.object({ id: text, email: text, username: text, ip_address: text }).nullable(),
  tags: z.array(z.object({ key: z.string(), value: z.string() })),
});

const event = eventRow.extend({
  metadata: z.looseObject({}),
  logger: text,
  level: z.string(),
  release: z.object({ version: z.string() }).nullable(),
  dist: text,
  environment: text,
  user: z.looseObject({}).nullable(),
  contexts: z.looseObject({}),
  context: z.looseObject({}),
  packages: z.looseObject({}),
  sdk: z.object({ name: text, version: text }).nullable(),
  entries: z.array(z.object({ type: z.string(), data: z.unknown() })),
  errors: z.array(z.unknown()),
  fingerprints: z.array(z.string()),
  _meta: z.looseObject({}),
  grouping: z.looseObject({}).nullable(),
  nextEventID: eventId.nullable(),
  previousEventID: eventId.nullable(),
});

const EVENTS_QUERY = {
  environment: "Repeatable",
  statsPeriod: "Like `24h` or `14d`; or `start` and `end`",
  start: "RFC 3339",
  end: "RFC 3339",
  per_page: "1 to 100",
  cursor: "From the `Link` header",
};

const eventList: EndpointAnswer = { what: "Events, newest first", json: z.array(eventRow) };
const oneEvent: EndpointAnswer = { what: "The event", json: event };

export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/projects/{organization}/{project}/events/",
    scopes: ["event:read", "project:read"],
    summary: "Events of a project.",
    query: EVENTS_QUERY,
    answers: { 200: eventList },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/events/{event}/",
    scopes: ["event:read", "project:read"],
    summary: "One event whole.",
    answers: { 200: oneEvent },
  },
  {
    method: "GET",
    path: "/projects/{organization}/{project}/events/{event}/json/",
    scopes: ["event:read", "project:read"],
    summary: "The event as it is stored, in the names of the wire.",
    answers: { 200: { what: "The event", json: z.looseObject({}) } },
  },
  ...(["/issues/{issue}", "/organizations/{organization}/issues/{issue}"] as const).flatMap((issue): Endpoint[] => [
    {
      method: "GET",
      path: `${issue}/events/`,
      scopes: ["event:read"],
      summary: "Events of an issue.",
      query: EVENTS_QUERY,
      answers: { 200: eventList },
    },
    {
      method: "GET",
      path: `${issue}/events/{event}/`,
      scopes: ["event:read"],
      summary: "One event of an issue, by id, or `latest` or `oldest`.",
      answers: { 200: oneEvent },
    },
  ]),
  {
    method: "GET",
    path: "/organizations/{organization}/eventids/{event}/",
    scopes: ["event:read"],
    summary: "From an event's id to its project and issue.",
    answers: {
      200: {
        what: "Where the event is",
        json: z.object({
          organizationSlug: z.string(),
          projectSlug: z.string(),
          groupId: id,
          eventId,
          event: eventRow,
        }),
      },
    },
  },
  {
    method: "GET",
    path: "/organizations/{organization}/events/",
    scopes: ["event:read", "org:read"],
    summary: "Search over events and logs: not there yet, and answered 400 with a detail that says so.",
    query: { dataset: "`logs`, `errors`, …" },
    answers: {},
  },
  {
    method: "GET",
    path: "/organizations/{organization}/stats_v2/",
    scopes: ["org:read"],
    summary: "The loss ledger.",
    query: {
      field: "`sum(quantity)`; required",
      groupBy: "`outcome`, `reason`, `category`, `project`; repeatable",
      interval: "Like `1h` or `1d`",
      statsPeriod: "Like `24h` or `14d`; or `start` and `end`",
      start: "RFC 3339",
      end: "RFC 3339",
      project: "Number, repeatable; -1 for all",
      outcome: "Repeatable",
      category: "Repeatable",
      reason: "Repeatable",
    },
    answers: {
      200: {
        what: "Sums",
        json: z.object({
          start: instant,
          end: instant,
          intervals: z.array(instant),
          groups: z.array(
            z.object({
              by: z.record(z.string(), z.union([z.string(), z.number()])),
              totals: z.object({ "sum(quantity)": z.number() }),
              series: z.object({ "sum(quantity)": z.array(z.number()) }),
            }),
          ),
        }),
      },
    },
  },
];
