import { expect, test } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { refusal } from "../answers.ts";
import { inUploadTurn } from "./assemble-chunks.server.ts";

const WEB = { id: 1, slug: "web" } as Project;
const seeing = (...projectIds: number[]) => ({ workspace: { scope: { projectIds } } as unknown as Workspace });

test("a sender who may not upload any more when its turn comes is refused, and holds nobody up", async () => {
  const go = Promise.withResolvers<void>();
  const first = inUploadTurn({ projects: [WEB], enterAgain: async () => seeing(1) }, () => go.promise);
  let isRevoked = false;
  let sees = seeing(1);
  let count = 0;
  const upload = async () => ++count;
  const late = [
    inUploadTurn(
      {
        projects: [WEB],
        enterAgain: async () => {
          if (isRevoked) throw refusal(401, "Invalid token");
          return seeing(1);
        },
      },
      upload,
    ),
    inUploadTurn({ projects: [WEB], enterAgain: async () => sees }, upload),
    inUploadTurn({ projects: [WEB], enterAgain: async () => seeing(1, 2) }, upload),
  ];
  isRevoked = true;
  sees = seeing(2);
  go.resolve();
  await first;
  const [token, project, other] = await Promise.allSettled(late);
  expect(token).toMatchObject({ status: "rejected", reason: { status: 401 } });
  expect(project).toMatchObject({ status: "rejected", reason: { status: 404 } });
  expect(other).toEqual({ status: "fulfilled", value: 1 });
  expect(count).toBe(1);
});
