import type { Repository } from "../../domain/repository.ts";
import { CODE_HOSTS } from "../../domain/source-link.ts";
import { toRepositoryUrl } from "./repository-url.ts";

const MAX_NAME_LENGTH = 200;

export type RepositoryField = "name" | "provider" | "url";
type ParsedForm<Fields> = { ok: true; fields: Fields } | { ok: false; field: RepositoryField; message: string };

/** Of a new repository. */
export function parseRepositoryForm(form: FormData): ParsedForm<Pick<Repository, "name" | "provider" | "url">> {
  const name = readText(form, "name");
  if (name === "") return { ok: false, field: "name", message: "Give the repository its name, like acme/shop." };
  if (name.length > MAX_NAME_LENGTH)
    return { ok: false, field: "name", message: `At most ${MAX_NAME_LENGTH} characters.` };
  if (/\s/.test(name)) return { ok: false, field: "name", message: "A repository’s name has no blanks." };
  const parsed = parsePlaceForm(form);
  return parsed.ok ? { ok: true, fields: { name, ...parsed.fields } } : parsed;
}

/** Where a repository is: what can be changed of one that builds name. */
export function parsePlaceForm(form: FormData): ParsedForm<Pick<Repository, "provider" | "url">> {
  const host = readText(form, "provider");
  const provider = CODE_HOSTS.find((known) => known === host) ?? null;
  if (host !== "" && provider === null) return { ok: false, field: "provider", message: "Choose one of the hosts." };
  const address = readText(form, "url");
  const url = address === "" ? null : toRepositoryUrl(address);
  if (address !== "" && url === null)
    return { ok: false, field: "url", message: "It must be the address of a page, like https://github.com/acme/shop." };
  return { ok: true, fields: { provider, url } };
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
