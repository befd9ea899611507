import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import type { Log } from "../log.server.ts";
import { controlPath } from "./control-path.server.ts";
import { openControlSocket } from "./open-control-socket.server.ts";

test("a socket that cannot be removed, as on a disk that has become read-only, does not end the stop", async () => {
  using folder = makeTempFolder();
  const said: string[] = [];
  const log = { warn: (_: object, message: string) => said.push(message) } as unknown as Log;
  const control = await openControlSocket({ dataDir: folder.path, commands: {}, log });
  const path = controlPath(folder.path);
  rmSync(path);
  mkdirSync(path);
  await control.close();
  expect(said).toEqual(["the control socket cannot be removed"]);
});
