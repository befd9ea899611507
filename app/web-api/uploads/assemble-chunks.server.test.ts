import { expect, test, vi } from "vitest";
import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { refusal } from "../answers.ts";
import { assembleArtifactBundle } from "./assemble-artifact-bundle.server.ts";
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

test("a sender who may not upload any more once the bundle is read is refused, and nothing is stored", async () => {
  let isRevoked = false;
  const putFile = vi.fn<Workspace["blobs"]["putFile"]>();
  const workspace = {
    scope: { projectIds: [1] },
    state: { artifacts: { findArtifactBundle: async () => null } },
    chunks: {
      listMissing: async () => [],
      assemble: (_: unknown, use: (path: string, bytes: number) => Promise<unknown>) => use("bundle.zip", 1),
    },
    blobs: { putFile },
    async readBundle() {
      isRevoked = true;
      return { ok: true, manifest: {} };
    },
  } as unknown as Workspace;
  const enterAgain = async () => {
    if (isRevoked) throw refusal(401, "Invalid token");
    return { workspace };
  };
  const bundle = { checksum: "a".repeat(40), chunks: ["a".repeat(40)], projects: [WEB], version: "1", dist: null };
  const upload = assembleArtifactBundle({ enterAgain }, { ...bundle, uploadedBy: null, at: 0 });
  await expect(upload).rejects.toMatchObject({ status: 401 });
  expect(putFile).not.toHaveBeenCalled();
});
