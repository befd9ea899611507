import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { makeCheckout } from "../support/built-app.ts";
import { type MadeProject, makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import { makeLogEnvelope } from "../support/make-trace-envelope.ts";
import { provideCheckedServer } from "../support/provide-checked-server.ts";
import { CLI_VERSIONS, findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const cli = provideCheckedServer({
  kind: "personal",
  scopes: ["org:read", "project:read", "project:write", "project:releases", "event:write"],
});

describe.each(CLI_VERSIONS)("sentry-cli %s", (version) => {
  if (findSentryCli(version) === null) test.skip("npm has none for this platform", () => {});

  describe.runIf(findSentryCli(version) !== null)("runs green", () => {
    const major = version.slice(0, 1);
    let project: MadeProject;
    let env: Record<string, string>;

    beforeAll(async () => {
      project = await makeProject(cli.server, `cli-${major}`);
      env = { SENTRY_PROJECT: project.slug, SENTRY_DSN: project.dsn };
    });

    /** @throws when the command fails; gives what it printed. */
    async function run(args: string[], options: { cwd?: string } = {}): Promise<string> {
      const { code, output } = await runSentryCli(version, args, {
        url: cli.proxy.url,
        token: cli.token,
        env,
        ...options,
      });
      if (code !== 0) throw new Error(`sentry-cli ${args.join(" ")} ended with ${code}:\n${output}`);
      return output;
    }
    async function makeRepository(name: string): Promise<string> {
      const made = await send(cli.server, "POST", "/organizations/default/repos/", { name });
      return ((await made.json()) as { id: string }).id;
    }
    const getRelease = (release: string) =>
      getJson<Record<string, unknown>>(cli.server, `/organizations/default/releases/${encodeURIComponent(release)}/`);

    test("info", async () => {
      const output = await run(["info"]);
      expect(output).toContain(`User: ${cli.server.owner.email}`);
      expect(output).toContain("- project:releases");
    });

    test("login keeps a token that the server knows, and no other", async () => {
      using folder = makeTempFolder();
      const login = (secret: string) =>
        runSentryCli(version, ["login", "--global", "--auth-token", secret], {
          url: cli.proxy.url,
          token: null,
          env: { ...env, HOME: folder.path },
        });
      const { code, output } = await login(cli.token);
      expect(output).toContain(`Valid token for user ${cli.server.owner.email}`);
      expect(code).toBe(0);
      expect((await login(`sntryu_${"1".repeat(64)}`)).output).toContain("Invalid token");
    });

    test("organizations, projects and repos list", async () => {
      expect(await run(["organizations", "list"])).toMatch(/\| 1 +\| Default \| default/);
      expect(await run(["projects", "list"])).toMatch(new RegExp(`\\| ${project.id} +\\| ${project.slug} `));
      await send(cli.server, "POST", "/organizations/default/repos/", {
        name: `acme/listed-${major}`,
        provider: "gitlab",
      });
      expect(await run(["repos", "list"])).toMatch(new RegExp(`acme/listed-${major} +\\| GitLab +\\| -`));
    });

    test("releases are made, finalized, listed, archived, restored and deleted", async () => {
      const release = `web@${major}.0.0+7`;
      expect(await run(["releases", "new", release])).toContain(`Created release ${release}`);
      expect(await getRelease(release)).toMatchObject({ dateReleased: null, projects: [{ slug: project.slug }] });
      await run(["releases", "finalize", release]);
      expect(await getRelease(release)).toMatchObject({ dateReleased: expect.stringMatching(/Z$/) });
      expect(await run(["releases", "list"])).toContain(release);
      expect(await run(["releases", "info", release])).toContain(release);
      await run(["releases", "archive", release]);
      expect(await getRelease(release)).toMatchObject({ status: "archived", projects: [{ slug: project.slug }] });
      await run(["releases", "restore", release]);
      expect(await getRelease(release)).toMatchObject({ status: "open" });
      expect(await run(["releases", "delete", release])).toContain("Deleted release");
      await expect(getRelease(release)).rejects.toThrow("404");
      expect(await run(["releases", "delete", release])).toContain("Did nothing");
    });

    test("a release that events name is not deleted, and the reason is said", async () => {
      const release = `live-${major}`;
      await run(["send-event", "--release", release, "-m", "of a release"]);
      await waitFor("the release", () => getRelease(release).catch(() => null));
      await expect(run(["releases", "delete", release])).rejects.toThrow(/Events name this release/);
    });

    test.each(["--auto", "--local"])("set-commits %s sends the commits of the checkout", async (how) => {
      using folder = makeTempFolder();
      const commits = makeCheckout(folder.path).commits();
      const release = `commits-${major}${how}`;
      await run(["releases", "new", release]);
      await run(["releases", "set-commits", how, "--ignore-missing", release], { cwd: folder.path });
      const found = await getJson<Array<{ id: string; author: object }>>(
        cli.server,
        `/organizations/default/releases/${release}/commits/`,
      );
      expect(found.map(({ id }) => id)).toEqual(commits);
      expect(found[0]).toMatchObject({ message: "second\n", author: { name: "Ann Author", email: "ann@example.com" } });
      expect(await getRelease(release)).toMatchObject({ commitCount: 2, lastCommit: { id: commits[0] } });
    });

    test("set-commits resolves the issues that commits of the checkout say they fix, in the release", async () => {
      using folder = makeTempFolder();
      const checkout = makeCheckout(folder.path);
      const release = `fixes-${major}`;
      await run(["send-event", "-m", `to be fixed ${major}`]);
      const issue = await waitFor("the issue", async () =>
        (await listIssues(cli.server, `to be fixed ${major}`, project.slug)).at(0),
      );
      checkout.commit(`Round up\n\nFixes ${issue.shortId.toLowerCase()}`);
      await run(["releases", "new", release]);
      await run(["releases", "set-commits", "--local", "--ignore-missing", release], { cwd: folder.path });
      expect(await getJson(cli.server, `/issues/${issue.id}/`)).toMatchObject({
        status: "resolved",
        statusDetails: { inRelease: release },
      });
    });

    describe("commits that are named, not sent", () => {
      const getRefs = async (release: string) => {
        const { commitCount, lastCommit, refs } = await getRelease(release);
        return { commitCount, lastCommit, refs };
      };
      async function makeRelease(name: string): Promise<string> {
        await run(["releases", "new", `${name}-${major}`]);
        return `${name}-${major}`;
      }

      test("set-commits --commit needs a repository that is known", async () => {
        const release = await makeRelease("unknown");
        await makeRepository(`acme/known-${major}`);
        await expect(
          run(["releases", "set-commits", release, "--commit", `acme/nobody@${"a".repeat(40)}`]),
        ).rejects.toThrow("Unknown repo 'acme/nobody'");
      });

      test("set-commits --commit names one commit, or the two ends of a range", async () => {
        const repository = `acme/named-${major}`;
        await makeRepository(repository);
        const [from, to] = [`${major}a`.repeat(20), `${major}b`.repeat(20)];
        const one = await makeRelease("one");
        await run(["releases", "set-commits", one, "--commit", `${repository}@${to}`]);
        expect(await getRefs(one)).toEqual({
          commitCount: 1,
          lastCommit: expect.objectContaining({ id: to }),
          refs: [{ repository, commit: to, previousCommit: null, hasCommits: false }],
        });
        const range = await makeRelease("range");
        await run(["releases", "set-commits", range, "--commit", `${repository}@${from}..${to}`]);
        expect(await getRefs(range)).toEqual({
          commitCount: 1,
          lastCommit: expect.objectContaining({ id: to }),
          refs: [{ repository, commit: to, previousCommit: from, hasCommits: false }],
        });
      });

      test("a range whose commits another release came with has them", async () => {
        using folder = makeTempFolder();
        const checkout = makeCheckout(folder.path);
        checkout.commit("third");
        const [head, middle, first] = checkout.commits() as [string, string, string];
        const repository = `acme/ranges-${major}`;
        await makeRepository(repository);
        const sent = await makeRelease("sent");
        await run(["releases", "set-commits", sent, "--local", "--ignore-missing"], { cwd: folder.path });
        const range = await makeRelease("known-range");
        await run(["releases", "set-commits", range, "--commit", `${repository}@${first}..${head}`]);
        expect(await getRefs(range)).toMatchObject({ commitCount: 2, refs: [{ hasCommits: true }] });
        const commits = await getJson(cli.server, `/organizations/default/releases/${range}/commits/`);
        expect(commits).toMatchObject([
          { id: head, message: "third\n", author: { name: "Ann Author" }, repository: { name: repository } },
          { id: middle },
        ]);
      });

      test("set-commits --auto names the head of a checkout whose address is known, and else sends its commits", async () => {
        using folder = makeTempFolder();
        const checkout = makeCheckout(folder.path);
        const [head] = checkout.commits();
        const address = `https://github.com/acme/auto-${major}`;
        execFileSync("git", ["remote", "set-url", "origin", `${address}.git`], { cwd: folder.path });
        const id = await makeRepository(`acme/auto-${major}`);
        const auto = (release: string) =>
          run(["releases", "set-commits", release, "--auto", "--ignore-missing"], { cwd: folder.path });
        const sent = await makeRelease("auto-sent");
        expect(await auto(sent)).toContain("Proceeding to find commits from local git tree");
        expect(await getRefs(sent)).toEqual({
          commitCount: 2,
          lastCommit: expect.objectContaining({ id: head }),
          refs: [],
        });

        await send(cli.server, "PUT", `/organizations/default/repos/${id}/`, { url: address, provider: "github" });
        checkout.commit("not sent");
        const named = await makeRelease("auto-named");
        const [newHead] = checkout.commits();
        await auto(named);
        expect(await getRefs(named)).toMatchObject({
          commitCount: 1,
          lastCommit: { id: newHead },
          refs: [{ repository: `acme/auto-${major}`, commit: newHead, previousCommit: null, hasCommits: false }],
        });
      });

      test("set-commits --clear takes them away", async () => {
        using folder = makeTempFolder();
        makeCheckout(folder.path);
        const release = await makeRelease("cleared");
        await run(["releases", "set-commits", release, "--local", "--ignore-missing"], { cwd: folder.path });
        expect(await getRefs(release)).toMatchObject({ commitCount: 2 });
        expect(await run(["releases", "set-commits", release, "--clear"])).toContain("Clearing commits for release.");
        expect(await getRefs(release)).toEqual({ commitCount: 0, lastCommit: null, refs: [] });
      });
    });

    test("the commits of the next release begin after those of the last one", async () => {
      using folder = makeTempFolder();
      const checkout = makeCheckout(folder.path);
      const [first, second] = [`next-${major}@1.0.0`, `next-${major}@1.1.0`];
      await run(["releases", "new", first]);
      await run(["releases", "set-commits", "--auto", first], { cwd: folder.path });
      checkout.commit("third");
      await run(["releases", "new", second]);
      await run(["releases", "set-commits", "--auto", second], { cwd: folder.path });
      expect(await getRelease(second)).toMatchObject({ commitCount: 1, lastCommit: { id: checkout.commits()[0] } });
    });

    test("deploys are noted and listed", async () => {
      const release = `deployed-${major}`;
      await run(["releases", "new", release]);
      await run(["deploys", "new", "--release", release, "--env", "production", "--name", "blue", "--time", "30"]);
      await run(["releases", "deploys", release, "new", "--env", "staging"]);
      const listed = await run(["deploys", "list", "--release", release]);
      expect(listed).toMatch(/production +\| blue/);
      expect(listed).toMatch(/staging +\| unnamed/);
      expect(await getRelease(release)).toMatchObject({ deployCount: 2 });
    });

    test("send-event and send-envelope arrive", async () => {
      using folder = makeTempFolder();
      const sent = await run(["send-event", "-m", "from the command line", "--env", "ci", "--tag", "step:test"]);
      const eventId = /Event id: ([0-9a-f-]{36})/.exec(sent)?.[1]?.replaceAll("-", "") ?? "";
      const event = await waitForEvent(cli.server, eventId, project.slug);
      expect(event).toMatchObject({ title: "from the command line", environment: "ci" });
      expect(event.tags).toContainEqual({ key: "step", value: "test" });

      const id = crypto.randomUUID().replaceAll("-", "");
      const file = join(folder.path, "event.envelope");
      writeFileSync(
        file,
        `{"event_id":"${id}","dsn":"${project.dsn}"}\n{"type":"event"}\n{"message":"in an envelope"}\n`,
      );
      expect(await run(["send-envelope", file])).toContain("dispatched");
      expect(await waitForEvent(cli.server, id, project.slug)).toMatchObject({ title: "in an envelope" });
    });

    test("issues are listed, muted, resolved and unresolved; events are listed", async () => {
      for (const message of ["first trouble", "second trouble"]) await run(["send-event", "-m", message]);
      const find = async (query: string) =>
        (await listIssues(cli.server, `${query} trouble`, project.slug)).map(({ title }) => title).sort();
      const issues = await waitFor("two issues", async () => {
        const found = await listIssues(cli.server, "trouble", project.slug);
        return found.length === 2 && found;
      });
      const first = issues.find(({ title }) => title === "first trouble")?.id ?? "";
      expect(await run(["issues", "list"])).toContain("second trouble");
      await run(["issues", "mute", "--id", first]);
      expect(await find("is:archived")).toEqual(["first trouble"]);
      await run(["issues", "resolve", "--status", "muted"]);
      expect(await find("is:resolved")).toEqual(["first trouble"]);
      await run(["issues", "resolve", "--all", "--next-release"]);
      expect(await find("is:resolved")).toEqual(["first trouble", "second trouble"]);
      const [resolved] = await listIssues(cli.server, "second trouble", project.slug);
      expect(resolved).toMatchObject({ statusDetails: { inNextRelease: true } });
      await run(["issues", "unresolve", "--all"]);
      expect(await find("is:unresolved")).toEqual(["first trouble", "second trouble"]);
      expect(await run(["events", "list", "--show-tags"])).toContain("first trouble");
    });

    test("monitors run runs the command, passes its exit code on, and its check-ins are accepted", async () => {
      await run(["monitors", "run", "nightly", "--schedule", "0 3 * * *", "--", "true"]);
      const { code } = await runSentryCli(version, ["monitors", "run", "nightly", "--", "sh", "-c", "exit 3"], {
        url: cli.proxy.url,
        token: cli.token,
        env,
      });
      expect(code).not.toBe(0);
      await waitFor("four check-ins", async () => {
        const stats = await getJson<{ groups: Array<{ totals: { "sum(quantity)": number } }> }>(
          cli.server,
          `/organizations/default/stats_v2/?field=sum(quantity)&statsPeriod=1d&outcome=accepted&category=monitor&project=${project.id}`,
        );
        return stats.groups[0]?.totals["sum(quantity)"] === 4;
      });
    });

    test("monitors list has what checks in", async () => {
      await run(["monitors", "run", `listed-${major}`, "--schedule", "0 3 * * *", "--", "true"]);
      await waitFor("the monitor", async () => {
        const listed = await run(["monitors", "list"]);
        return new RegExp(`listed-${major} +\\| active`).test(listed);
      });
      const [monitor] = await waitFor("its end", async () => {
        const found = await getJson<Array<{ environments: Array<{ status: string }> }>>(
          cli.server,
          `/organizations/default/monitors/?query=listed-${major}`,
        );
        return found[0]?.environments[0]?.status === "ok" && found;
      });
      expect(monitor).toMatchObject({
        config: { schedule_type: "crontab", schedule: "0 3 * * *" },
        environments: [{ name: "production", lastCheckInStatus: "ok" }],
      });
    });

    test("logs list has the lines of a project, and finds them", async () => {
      const traceId = crypto.randomUUID().replaceAll("-", "");
      const lines = [
        [0, "error", `a card was refused ${major}`, "one"],
        [1, "info", `a cart was filled ${major}`, "one"],
      ] as const;
      await sendEnvelope(
        { url: cli.server.url, dsn: project.dsn },
        makeLogEnvelope(traceId, lines, Date.now() - 60_000),
      );
      const listed = await waitFor("lines", async () => {
        const output = await run(["logs", "list", "--max-rows", "1000"]);
        return output.includes("a cart was filled") && output;
      });
      expect(listed).toContain(`a card was refused ${major}`);
      const found = await run(["logs", "list", "--query", "severity:error"]);
      expect(found).toContain(`a card was refused ${major}`);
      expect(found).not.toContain("a cart was filled");
      await expect(run(["logs", "list", "--query", "(severity:error"])).rejects.toThrow("query:");
    });

    test("commands need their scopes", async () => {
      const ci = await makeToken({ ...cli.server, url: cli.proxy.url }, { scopes: ["org:ci"] });
      const asCi = (...args: string[]) => runSentryCli(version, args, { url: cli.proxy.url, token: ci, env });
      expect((await asCi("issues", "list")).output).toContain("needs the scope event:read; this token has org:ci.");
      expect((await asCi("releases", "new", `ci-${major}`)).code).toBe(0);
      expect((await asCi("projects", "list")).code).toBe(0);
    });
  });
});

describe.runIf(findSentryCli("2.x") !== null)("sentry-cli 2.x with files one by one", () => {
  test("uploads, lists and deletes them", async () => {
    using folder = makeTempFolder();
    const file = join(folder.path, "old.js");
    writeFileSync(file, "f();\n//# sourceMappingURL=old.js.map\n");
    const run = async (...args: string[]) => {
      const { code, output } = await runSentryCli("2.x", args, { url: cli.proxy.url, token: cli.token });
      expect(code, output).toBe(0);
      return output;
    };
    await run("releases", "new", "old-1");
    await run("releases", "files", "old-1", "upload", file, "~/old.js", "--dist", "d");
    await run("releases", "files", "old-1", "upload", file, "~/same content.js");
    const listed = await run("releases", "files", "old-1", "list");
    expect(listed).toMatch(/~\/old\.js +\| d +\| old\.js\.map/);
    expect(listed).toContain("~/same content.js");
    await run("releases", "files", "old-1", "delete", "~/old.js");
    expect(await run("releases", "files", "old-1", "list")).not.toContain("~/old.js");
  });
});
