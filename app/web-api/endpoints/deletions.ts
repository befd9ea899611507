import { z } from "zod";
import type { NamedUser } from "../../domain/named-user.ts";
import { deleteUserData, previewUserData } from "../../features/deletions/delete-user-data.server.ts";
import { listDeletions } from "../../features/deletions/list-deletions.server.ts";
import { readNamedUser } from "../../features/deletions/read-named-user.server.ts";
import { answer, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PROJECTS, toProjectScope } from "../query.ts";
import { id, instant } from "../shapes.ts";

const BY_USER = {
  id: z.string().optional().describe("`user.id`; one of `id`, `email` and `address` is needed"),
  email: z.string().optional().describe("`user.email`, in large or small letters"),
  address: z.string().optional().describe("IP address"),
  ...PROJECTS,
};
const userQuery = z.object(BY_USER);
const USER_DATA = "/organizations/{organization}/user-data/";

const count = z.number().int();
const deletionAnswer = z.object({
  id,
  kind: z.enum(["issue", "event", "project", "user"]),
  label: z.string().describe("Short id, slug, or a number of projects"),
  phase: z
    .enum(["asked", "hidden", "swept", "erasing", "done"])
    .describe(
      "asked: rows are being deleted; hidden, swept, erasing: nobody can see it, files follow; done: no file has it",
    ),
  progress: z
    .object({ done: count, total: count })
    .nullable()
    .describe(
      "Events and items that are looked through for a user. null: all of them, or the deletion is not of a user",
    ),
  eventCount: count,
  itemCount: count,
  dateCreated: instant,
  dateDone: instant.nullable(),
  user: z.string().nullable().describe("Who deleted it; null: a token"),
});

export const DELETION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/deletions/",
    scopes: ["event:admin", "org:read"],
    summary: "What was deleted, the newest first, and how far each deletion is. At most 200.",
    answers: { 200: { what: "Deletions", json: z.array(deletionAnswer) } },
    async handle({ workspace }) {
      const deletions = await listDeletions(workspace);
      return answer(
        deletions.map(
          ({ id: number, kind, label, phase, progress, eventCount, itemCount, askedAt, doneAt, userName }) => ({
            id: String(number),
            kind,
            label,
            phase,
            progress: progress && { done: progress.doneRows, total: progress.totalRows },
            eventCount,
            itemCount,
            dateCreated: toIso(askedAt),
            dateDone: doneAt === null ? null : toIso(doneAt),
            user: userName,
          }),
        ),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: USER_DATA,
    scopes: ["event:admin"],
    summary:
      "What is stored of one user, by project: what a DELETE of the same path would delete. Looks for three seconds.",
    query: userQuery,
    answers: {
      200: {
        what: "Counts",
        json: z.object({
          projects: z.array(z.object({ slug: z.string(), events: count, items: count })),
          isWhole: z.boolean().describe("false: there may be more, because not everything was looked through"),
          read: count,
          total: count,
        }),
      },
    },
    async handle({ workspace, query }) {
      const user = toNamedUser(query);
      const found = await previewUserData(workspace, { user, scope: await toProjectScope(workspace, query) });
      if (found === null) return refusal(429, "Others are looking for a user just now. Ask again in a few seconds.");
      const { projects, isWhole, readRows, totalRows } = found;
      return answer({ projects, isWhole, read: readRows, total: totalRows });
    },
  }),
  endpoint({
    method: "DELETE",
    path: USER_DATA,
    scopes: ["event:admin"],
    summary: "Deletes all that one user sent until now. Its progress is in the list of deletions.",
    query: userQuery,
    answers: { 202: { what: "Begun. Payload files follow within a day", json: z.object({ id }) } },
    async handle({ workspace, query, now }) {
      const user = toNamedUser(query);
      const deleted = await deleteUserData(workspace, { user, scope: await toProjectScope(workspace, query), now });
      if (deleted === null) return refusal(404, "There is no project");
      return answer({ id: String(deleted) }, { status: 202 });
    },
  }),
];

/** @throws a 400 answer */
function toNamedUser(query: z.output<typeof userQuery>): NamedUser {
  const named = (["id", "email", "address"] as const).flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, value }];
  });
  const [first, ...others] = named;
  if (first === undefined || others.length > 0) throw refusal(400, "name the user by one of id, email and address");
  const read = readNamedUser(first.field, first.value);
  if (!read.ok) throw refusal(400, read.message);
  return read.user;
}
