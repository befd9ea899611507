import { createHash } from "node:crypto";
import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { isProviderKind, PROVIDER_PRESETS, type Provider } from "../../domain/people/provider.ts";
import { MAX_CLAIM_CHARS, MAX_RULES, type ProviderRule } from "../../domain/people/provider-rules.ts";
import { isRole, ROLES } from "../../domain/people/roles.ts";
import type { NewProvider } from "../../stores/state/provider-store.ts";
import { readForm } from "../input/read-form.ts";
import { readIntent } from "../input/read-intent.ts";
import { toIds } from "../people/read-ids.ts";

export type ChangeProviderResult =
  | { ok: true; message: string; provider: Provider | null; removed?: RemovedRule }
  | { ok: false; status: 400 | 404 | 409; field: string | null; message: string };

/** A removed rule, for its undo. */
export interface RemovedRule {
  rule: ProviderRule;
  /** Its index in the list. */
  index: number;
  /** `toMark` of the provider after the removal: the undo works only while it is the same. */
  mark: string;
}

const text = (max: number) => z.string().trim().min(1, "Fill this in.").max(max, `At most ${max} characters.`);

const ISSUER_LIKE = "Give an address like https://login.example.com.";

const fields = {
  name: text(40),
  issuer: text(300),
  clientId: text(300),
  scopes: text(300),
};

/** Adds a provider that is off, or says what is wrong with the form. */
export async function addProvider(
  workspace: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<ChangeProviderResult> {
  const { state, scope } = workspace;
  const kind = form.get("kind");
  if (!isProviderKind(kind)) return refused("kind", "Choose one of the kinds.");
  if (kind === "proxy") return await addProxy(workspace, { form, now });
  const preset = PROVIDER_PRESETS[kind];
  const filled = new FormData();
  for (const [name, value] of form) filled.set(name, value);
  for (const [name, value] of [
    ["name", preset.name],
    ["issuer", preset.issuer ?? ""],
    ["scopes", preset.scopes],
  ] as const)
    if (String(filled.get(name) ?? "").trim() === "") filled.set(name, value);
  if (filled.get("issuer") === "") return refused("issuer", ISSUER_LIKE);
  const read = readForm(z.object({ ...fields, clientSecret: text(1_000) }), filled);
  if (!read.ok) return refused(read.field, read.message);
  const issuer = toIssuer(read.fields.issuer);
  if (issuer === null) return refused("issuer", ISSUER_LIKE);
  const provider: NewProvider = { ...read.fields, kind, issuer };
  const made = await state.providers.createProvider(scope, { ...provider, at: now });
  return toAdded(made);
}

function toAdded(made: Provider | null): ChangeProviderResult {
  if (!made) return { ...refused(null, "There are ten providers, and no more are kept."), status: 409 };
  return { ok: true, message: `${made.name} is added. Test it before you turn it on.`, provider: made };
}

/** A proxy has only a name: the operator configures the proxy itself, and there is one. */
async function addProxy(
  { state, scope, settings }: Workspace,
  { form, now }: { form: FormData; now: number },
): Promise<ChangeProviderResult> {
  if (settings.proxySignIn === null)
    return { ...refused(null, "Set PROXY_SIGN_IN_FROM first: this server believes no proxy."), status: 409 };
  const read = readForm(z.object({ name: fields.name }), form);
  if (!read.ok) return refused(read.field, read.message);
  if ((await state.providers.listProviders(scope)).some((each) => each.kind === "proxy"))
    return { ...refused(null, "The proxy is in the list already."), status: 409 };
  const none = { issuer: "", clientId: "", clientSecret: "", scopes: "" };
  return toAdded(await state.providers.createProvider(scope, { ...read.fields, ...none, kind: "proxy", at: now }));
}

const PROVIDER_INTENTS = ["save", "turn-on", "turn-off", "delete", "add-rule", "remove-rule", "restore-rule"] as const;

/** Changes a provider as the `intent` of the pressed button says. */
export async function changeProviderByForm(
  workspace: Workspace,
  { form, providerId }: { form: FormData; providerId: number },
): Promise<ChangeProviderResult> {
  const { state, scope } = workspace;
  const pressed = readIntent(form, PROVIDER_INTENTS);
  if (!pressed.ok) return refused(pressed.field, pressed.message);
  const provider = await state.providers.getProvider(scope, providerId);
  if (!provider) return gone();
  const change = async (fieldsToChange: object, message: string): Promise<ChangeProviderResult> => {
    const changed = await state.providers.changeProvider(scope, { providerId, ...fieldsToChange });
    return changed ? { ok: true, message, provider: changed } : gone();
  };
  switch (pressed.intent) {
    case "turn-on":
      return await change({ isEnabled: true }, `The sign-in page offers ${provider.name} from now on.`);
    case "turn-off":
      return await change({ isEnabled: false }, `${provider.name} is off. Sessions that began there have ended.`);
    case "delete":
      await state.providers.deleteProvider(scope, providerId);
      return { ok: true, message: `${provider.name} is deleted.`, provider: null };
    case "save": {
      if (provider.kind === "proxy") {
        const named = readForm(z.object({ name: fields.name }), form);
        return named.ok ? await change(named.fields, "Saved.") : refused(named.field, named.message);
      }
      const read = readForm(z.object({ ...fields, clientSecret: z.string().trim().max(1_000).optional() }), form);
      if (!read.ok) return refused(read.field, read.message);
      const { clientSecret, ...rest } = read.fields;
      const issuer = toIssuer(rest.issuer);
      if (issuer === null) return refused("issuer", ISSUER_LIKE);
      // An empty field keeps its value: the secret is never shown again.
      return await change({ ...rest, issuer, ...(clientSecret !== undefined && { clientSecret }) }, "Saved.");
    }
    case "add-rule":
    case "restore-rule":
    case "remove-rule":
      return await changeRules(workspace, { form, provider, intent: pressed.intent });
  }
}

/** A rule is identified by its whole contents, because its index may be another rule's by now. */
async function changeRules(
  { state, scope }: Workspace,
  {
    form,
    provider,
    intent,
  }: { form: FormData; provider: Provider; intent: "add-rule" | "restore-rule" | "remove-rule" },
): Promise<ChangeProviderResult> {
  const save = async (rules: readonly ProviderRule[], message: string): Promise<ChangeProviderResult> => {
    const changed = await state.providers.changeProvider(scope, { providerId: provider.id, rules, onlyIf: provider });
    return changed
      ? { ok: true, message, provider: changed }
      : conflict("Somebody else changed it just now. Try again.");
  };
  const read = readForm(z.object({ claim: text(MAX_CLAIM_CHARS), value: text(MAX_CLAIM_CHARS) }), form);
  if (!read.ok) return refused(read.field, read.message);
  const role = form.get("role");
  if (!isRole(role)) return refused("role", `Choose one of ${ROLES.join(", ")}.`);
  const asked: ProviderRule = { ...read.fields, role, teamIds: toIds(form, "team") };
  const known = new Set((await state.members.listTeams(scope)).map(({ id }) => id));
  const rule = { ...asked, teamIds: asked.teamIds.filter((id) => known.has(id)) };
  switch (intent) {
    case "remove-rule": {
      const index = provider.rules.findIndex((each) => isSameRule(each, asked));
      const removed = provider.rules[index];
      if (!removed) return { ...refused(null, "There is no such rule any more."), status: 404 };
      const saved = await save(provider.rules.toSpliced(index, 1), "The rule is removed.");
      if (!saved.ok || !saved.provider) return saved;
      return { ...saved, removed: { rule: removed, index, mark: toMark(saved.provider) } };
    }
    case "restore-rule":
      // Rules add up: together with newer rules, an old rule might give more than somebody meant.
      if (form.get("mark") !== toMark(provider))
        return conflict("The rules were changed since. Add this one again if it is still wanted.");
      return await save(provider.rules.toSpliced(Number(form.get("index")) || 0, 0, rule), "The rule is back.");
    case "add-rule":
      if (provider.rules.length >= MAX_RULES) return conflict(`At most ${MAX_RULES} rules.`);
      if (provider.rules.some((each) => isSameRule(each, rule))) return conflict("There is such a rule already.");
      return await save([...provider.rules, rule], "The rule holds at the next sign-in.");
  }
}

function isSameRule(one: ProviderRule, other: ProviderRule): boolean {
  return (
    one.claim === other.claim &&
    one.value === other.value &&
    one.role === other.role &&
    one.teamIds.toSorted().join() === other.teamIds.toSorted().join()
  );
}

/** A hash that changes with the rules, and with the issuer, whose people they are about. */
function toMark({ issuer, rules }: Provider): string {
  return createHash("sha256")
    .update(JSON.stringify([issuer, rules]))
    .digest("base64url");
}

/**
 * The address of an issuer without a trailing slash, as issuers are written. Providers on the own network may use http. Null: it is no such
 * address.
 */
function toIssuer(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return null;
  return address.replace(/\/+$/, "").replace(/\/\.well-known\/openid-configuration$/, "");
}

function refused(field: string | null, message: string): ChangeProviderResult & { ok: false } {
  return { ok: false, status: 400, field, message };
}

function conflict(message: string): ChangeProviderResult & { ok: false } {
  return { ...refused(null, message), status: 409 };
}

function gone(): ChangeProviderResult {
  return { ...refused(null, "This provider was deleted."), status: 404 };
}
