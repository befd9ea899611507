import { expect } from "vitest";
import { type ApiEvent, type ApiFrame, getJson } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import type { TestServer } from "../support/start-server.ts";
import type { PluginApp } from "./plugin-app.ts";

/** The frames of the error itself that are the application's, innermost first, each with its line of source. */
export function ownFramesOf(event: ApiEvent): Array<ApiFrame & { source: string | undefined }> {
  const exceptions = event.entries.find(({ type }) => type === "exception")?.data as
    | { values: Array<{ stacktrace: { frames: ApiFrame[] } | null }> }
    | undefined;
  const frames = exceptions?.values.at(-1)?.stacktrace?.frames ?? [];
  return frames
    .filter((frame) => frame.inApp)
    .map((frame) => ({ ...frame, source: frame.context.find(([line]) => line === frame.lineNo)?.[1] }))
    .reverse();
}

/** The open frame of an issue's page, as it stands there without script: its place, and the line that is marked. */
export async function readOpenSource(
  server: TestServer,
  issueId: string,
): Promise<{ place: string; line: string } | null> {
  const { html } = await (await signIn(server)).open(`/issues/${issueId}`);
  const [, place = "", line = ""] =
    /aria-label="Source of (\S+:\d+:\d+)".*?aria-current="true".*?<code>(.*?)<\/code>/s.exec(html) ?? [];
  return place === "" ? null : { place, line };
}

/**
 * Everything that the plugins do beside uploading: the release is made, finalized and deployed, and has the commits, unless
 * the plugin sends none.
 */
export async function expectReleased(
  server: TestServer,
  {
    app,
    project,
    version,
    sendsCommits = true,
  }: { app: PluginApp; project: string; version: string; sendsCommits?: boolean },
): Promise<void> {
  const commits = sendsCommits ? app.checkout.commits() : [];
  const path = `/organizations/default/releases/${encodeURIComponent(version)}/`;
  expect(await getJson(server, path)).toMatchObject({
    version,
    projects: [{ slug: project }],
    dateReleased: expect.stringMatching(/Z$/),
    commitCount: commits.length,
    lastCommit: sendsCommits ? { id: commits[0] } : null,
    deployCount: 1,
    lastDeploy: { environment: "production" },
  });
  const sent = await getJson<Array<{ id: string; message: string }>>(server, `${path}commits/`);
  expect(sent.map(({ id }) => id)).toEqual(commits);
  // Nothing was made of a release that had no name.
  const all = await getJson<Array<{ version: string }>>(server, `/projects/default/${project}/releases/`);
  expect(all.map((release) => release.version)).toEqual([version]);
}
