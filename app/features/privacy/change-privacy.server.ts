import { randomBytes } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import { toKeyWords } from "../../domain/privacy/key-words.ts";
import { PRIVACY_LIMITS, type PrivacyChoices } from "../../domain/privacy/privacy-settings.ts";
import type { PrivacyTest } from "../../domain/privacy/privacy-test.ts";
import { readScrubRules } from "../../domain/privacy/scrub-rules/scrub-rule.ts";
import { STRUCTURAL_KEYS } from "../../domain/privacy/structural-keys.ts";
import type { Project } from "../../domain/project.ts";
import { splitLines } from "../filters/check-filters.ts";

type PrivacyRefusal = { ok: false; status: 400 | 404; field: keyof PrivacyChoices; message: string };

export type PrivacyResult = { ok: true; message: string } | PrivacyRefusal;

const GONE = {
  ok: false,
  status: 404,
  field: "masksData",
  message: "This project does not exist any more.",
} as const satisfies PrivacyRefusal;

const MAX_ERRORS_SAID = 5;

/** What these settings would mask in addition. Nothing is written. */
export async function testPrivacy(
  workspace: Pick<Workspace, "testPrivacy">,
  { id }: Pick<Project, "id">,
  settings: PrivacyChoices,
): Promise<{ ok: true; test: PrivacyTest } | PrivacyRefusal> {
  const refusal = checkPrivacy(settings);
  if (refusal !== null) return refusal;
  const test = await workspace.testPrivacy(id, { ...settings, hashKey: "test" });
  return test === null ? GONE : { ok: true, test };
}

/** Reads the settings from the form. Its boxes are absent when they are off. */
export function readPrivacyForm(form: FormData): PrivacyChoices {
  const lines = (name: string) => splitLines(String(form.get(name) ?? ""));
  return {
    masksData: form.get("masksData") === "on",
    usesBuiltInRules: form.get("usesBuiltInRules") === "on",
    dropsAddresses: form.get("dropsAddresses") === "on",
    sensitiveKeys: lines("sensitiveKeys"),
    safeKeys: lines("safeKeys"),
    rules: String(form.get("rules") ?? "")
      .replaceAll("\r\n", "\n")
      .trim(),
  };
}

/** Changes the parts that are given. The others stay. The digest uses the change from its next batch on. */
export async function changePrivacy(
  { state, scope }: Workspace,
  { id }: Pick<Project, "id">,
  change: Partial<PrivacyChoices>,
): Promise<PrivacyResult> {
  const refusal = checkPrivacy(change);
  if (refusal !== null) return refusal;
  const rules = await state.rules.getRules(scope, id);
  if (rules === null) return GONE;
  const hashKey = rules.privacy.hashKey || randomBytes(32).toString("hex");
  await state.rules.saveRules(scope, id, "privacy", { ...rules.privacy, ...change, hashKey });
  return { ok: true, message: "Privacy saved. It holds for what arrives from now on." };
}

function checkPrivacy({ sensitiveKeys = [], safeKeys = [], rules = "" }: Partial<PrivacyChoices>) {
  const read = readScrubRules(rules);
  if (!read.ok) {
    const said = read.errors
      .slice(0, MAX_ERRORS_SAID)
      .map(({ line, character, message }) => `Line ${line}, character ${character}: ${message}.`);
    const more = read.errors.length - said.length;
    return refuse("rules", [...said, ...(more > 0 ? [`${more} more lines cannot be read.`] : [])].join("\n"));
  }
  const structural = sensitiveKeys.find((key) => STRUCTURAL_KEYS.has(key));
  if (structural !== undefined)
    return refuse("sensitiveKeys", `“${structural}” cannot be masked: Culprit needs it to read what arrives.`);
  return checkKeys("sensitiveKeys", sensitiveKeys) ?? checkKeys("safeKeys", safeKeys);
}

function checkKeys(field: "sensitiveKeys" | "safeKeys", keys: readonly string[]) {
  const { keys: most, keyChars } = PRIVACY_LIMITS;
  if (keys.length > most)
    return refuse(field, `A project has at most ${most} names in this list; these are ${keys.length}.`);
  for (const key of keys) {
    const shown = `“${key.slice(0, 40)}”`;
    if (key.length > keyChars) return refuse(field, `${shown} has more than ${keyChars} characters.`);
    if (/[*$]/.test(key)) return refuse(field, `${shown} is no name of a key: write the name alone, like iban.`);
    if (toKeyWords(key).length < 4) return refuse(field, `${shown} must have at least 2 letters or digits.`);
  }
  return null;
}

function refuse(field: keyof PrivacyChoices, message: string) {
  return { ok: false, status: 400, field, message } as const;
}
