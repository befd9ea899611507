import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signIn } from "../support/browse.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

function findPassword(text: string): string {
  const password = /: ([\w-]{20})$/m.exec(text)?.[1];
  if (!password) throw new Error(`no password in ${text}`);
  return password;
}

test("on a running server a password is reset, and the sessions of the old one end", async () => {
  await using server = await startServer();
  const account = (...args: string[]) => runCommand("account", server.dataDir, args);
  const visitor = await signIn(server);
  expect((await account("sessions")).stdout).toMatch(/^[0-9a-f]{16} {2}owner@example\.com {2}since /);
  const reset = await account("reset-password", server.owner.email.toUpperCase());
  expect(reset).toMatchObject({ code: 0, stderr: "" });
  const password = findPassword(reset.stdout);
  const gone = await visitor.open("/issues");
  expect(gone.url).toContain("/sign-in");
  await expect(signIn(server)).rejects.toThrow();
  await signIn({ url: server.url, owner: { ...server.owner, password } });
  expect(JSON.stringify(server.logLines())).not.toContain(password);

  expect((await account("list")).stdout).toContain("owner@example.com  owner  owner  1 session");
  expect((await account("end-sessions", server.owner.email)).stdout).toContain("that have ended: 1");
  expect((await account("sessions")).stdout).toBe("Nobody is signed in.\n");
  expect((await account("set-up-code")).stdout).toContain("is set up");
  // Who may read the data folder, and nobody else.
  expect(statSync(join(server.dataDir, "control.sock")).mode & 0o777).toBe(0o600);
});

test("a server that nobody has set up tells its code, and takes it", async () => {
  await using server = await startServer({ project: null });
  const { stdout } = await runCommand("account", server.dataDir, ["set-up-code"]);
  expect(stdout.trim()).toBe(await server.setUpCode());
  const refused = await runCommand("account", server.dataDir, ["make-owner", "eve@example.com"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("the server is not set up");
});

test("on a stopped server ownership is handed to a new account, and a changed CULPRIT_ADMIN is told", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path });
  await first.stop();
  const made = await runCommand("account", data.path, ["make-owner", "grace@example.com"]);
  expect(made.stdout).toContain("grace@example.com is the only owner now");
  const password = findPassword(made.stdout);

  await using second = await startServer({ dataDir: data.path });
  await signIn({ url: second.url, owner: { email: "grace@example.com", password } });
  await signIn(second);
  await second.waitForLog(({ msg }) => msg.startsWith("CULPRIT_ADMIN names somebody else"));
});

test("CULPRIT_ADMIN with another password than the owner's is told", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path });
  await first.stop();
  await using second = await startServer({
    dataDir: data.path,
    env: { CULPRIT_ADMIN: "owner@example.com:another password" },
  });
  await second.waitForLog(({ msg }) => msg.startsWith("CULPRIT_ADMIN has another password"));
  expect(JSON.stringify(second.logLines())).not.toContain('another password"');
});

test("what is wrong is told in a sentence: command, address, folder", async () => {
  using data = makeTempFolder();
  const account = (...args: string[]) => runCommand("account", data.path, args);
  const first = await startServer({ dataDir: data.path });
  await first.stop();
  expect((await account("open-sesame")).stderr).toContain("usage: npm run account");
  expect((await account("reset-password")).stderr).toContain("an e-mail address is missing");
  expect((await account("reset-password", "nobody@example.com")).stderr).toContain("Accounts: owner@example.com");
  const nowhere = await runCommand("account", join(data.path, "nowhere"), ["list"]);
  expect(nowhere).toMatchObject({ code: 1 });
  expect(nowhere.stderr).toContain("there is no folder");
  await mkdir(join(data.path, "empty"));
  const empty = await runCommand("account", join(data.path, "empty"), ["list"]);
  expect(empty.stderr).toContain("there is no data of Culprit in");
});

test("commands reach a server on a folder with a long path", async () => {
  using data = makeTempFolder();
  const dataDir = join(data.path, "x".repeat(150));
  await using server = await startServer({ dataDir });
  expect((await runCommand("account", server.dataDir, ["list"])).stdout).toContain("owner@example.com");
});
