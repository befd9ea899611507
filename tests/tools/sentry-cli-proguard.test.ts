import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ApiIssue, getJson, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { provideCheckedServer } from "../support/provide-checked-server.ts";
import { CLI_VERSIONS, type CliVersion, findSentryCli, runSentryCli } from "../support/sentry-cli.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// An app that R8 shortened sends its error, and its build uploads the mapping, before or after it.

const MAPPING = join(import.meta.dirname, "../fixtures/proguard/mapping.txt");
const cli = provideCheckedServer({ scopes: ["org:ci"] });

/** The second trace of the fixture, as Android's SDK sends it. */
function makeShortened(uuid: string, kept: string) {
  return toEventEnvelope({
    platform: "java",
    release: "com.example.shop@1.0+1",
    exception: {
      values: [
        {
          type: "b",
          module: "a",
          value: "refused null 0",
          stacktrace: {
            frames: [
              { module: kept, function: "start", lineno: 3, filename: "Start.java" },
              { module: "com.example.shop.Main", function: "a", lineno: 3, filename: "SourceFile" },
              { module: "a.c", function: "a", lineno: 8, filename: "SourceFile" },
            ],
          },
        },
      ],
    },
    debug_meta: { images: [{ type: "proguard", uuid }] },
  });
}

interface ExceptionEntry {
  values: Array<{ type: string; rawType: string; stacktrace: { frames: Array<{ module: string; function: string }> } }>;
}

const RESTORED = [
  "com.example.shop.Main.run",
  "com.example.shop.checkout.Payment.pay",
  "com.example.shop.checkout.Payment.validate",
  "com.example.util.Numbers.requirePositive",
  "com.example.util.Numbers.fail",
  "com.example.shop.checkout.Payment$Refused.of",
];

async function namesOf(eventId: string): Promise<string[]> {
  const event = await waitForEvent(cli.server, eventId);
  const entry = event.entries.find(({ type }) => type === "exception")?.data as ExceptionEntry | undefined;
  return (entry?.values[0]?.stacktrace.frames ?? []).map(({ module, function: name }) => `${module}.${name}`);
}

async function upload(version: CliVersion, uuid: string): Promise<void> {
  const args = ["upload-proguard", "--uuid", uuid, MAPPING];
  const { code, output } = await runSentryCli(version, args, { url: cli.proxy.url, token: cli.token });
  expect(code, output).toBe(0);
}

interface Doctor {
  ok: boolean;
  retrace: { text: string; mappings: Array<{ debugId: string; state: string }> };
}

describe.each(CLI_VERSIONS)("sentry-cli %s", (version) => {
  describe.runIf(findSentryCli(version) !== null)("upload-proguard", () => {
    test("names of an event that comes after its mapping are restored, and its issue is named so", async () => {
      const uuid = crypto.randomUUID();
      await upload(version, uuid);
      const { eventId, envelope } = makeShortened(uuid, `after.${version.replace(".", "")}`);
      await sendEnvelope(cli.server, envelope);
      const event = await waitForEvent(cli.server, eventId);
      expect(event.title).toBe("Payment$Refused: refused null 0");
      expect((await namesOf(eventId)).slice(1)).toEqual(RESTORED);
      const doctor = await getJson<Doctor>(cli.server, `/projects/default/shop/sourcemaps/doctor/?event=${eventId}`);
      expect(doctor).toMatchObject({ ok: true, retrace: { mappings: [{ debugId: uuid, state: "found" }] } });
      expect(doctor.retrace.text).toContain("2 of 3 frames");
    });

    test("names of an event that came before its mapping are restored, and its issue gets them", async () => {
      const uuid = crypto.randomUUID();
      const { eventId, envelope } = makeShortened(uuid, `before.${version.replace(".", "")}`);
      await sendEnvelope(cli.server, envelope);
      const event = await waitForEvent(cli.server, eventId);
      expect(event.title).toBe("b: refused null 0");
      const path = `/projects/default/shop/sourcemaps/doctor/?event=${eventId}`;
      expect(await getJson<Doctor>(cli.server, path)).toMatchObject({
        ok: false,
        retrace: { mappings: [{ debugId: uuid, state: "not_uploaded_yet" }] },
      });
      await upload(version, uuid);
      await waitFor("the issue's new title", async () => {
        const issue = await getJson<ApiIssue>(cli.server, `/issues/${event.groupID}/`).catch(() => null);
        return issue === null || issue.title === "Payment$Refused: refused null 0";
      });
      expect((await namesOf(eventId)).slice(1)).toEqual(RESTORED);
    });

    test("a file that is no mapping is refused with the reason", async () => {
      using folder = makeTempFolder();
      const file = join(folder.path, "mapping.txt");
      const text = readFileSync(MAPPING, "utf8").replaceAll(/^\S+ -> \S+:$/gm, "# a class");
      writeFileSync(file, text);
      const { code, output } = await runSentryCli(version, ["upload-proguard", file], {
        url: cli.proxy.url,
        token: cli.token,
      });
      expect(code).not.toBe(0);
      expect(output).toContain("no mapping of R8 or ProGuard");
    });
  });
});
