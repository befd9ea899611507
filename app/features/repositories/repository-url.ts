import type { Repository } from "../../domain/repository.ts";
import { CODE_HOSTS, type CodeHost } from "../../domain/source-link.ts";

const MAX_URL_LENGTH = 2000;

/** The host names of public code hosts. */
const PUBLIC_HOSTS: Partial<Record<CodeHost, string>> = {
  github: "github.com",
  gitlab: "gitlab.com",
  bitbucket: "bitbucket.org",
};

/**
 * The stored form of an address: without `.git`, a trailing slash, or parts that do not belong to a page's address. Null: not an address.
 */
export function toRepositoryUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  const path = url.pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  const address = `${url.origin}${path}`;
  return path === "" || address.length > MAX_URL_LENGTH ? null : address;
}

/** The address of its page: the stored one, or one made from its name and its host. Null: unknown. */
export function findRepositoryPage({
  name,
  provider,
  url,
}: Pick<Repository, "name" | "provider" | "url">): string | null {
  if (url !== null) return url;
  const host = provider && PUBLIC_HOSTS[provider];
  return host && /^[\w.-]+(?:\/[\w.-]+)+$/.test(name) ? `https://${host}/${name}` : null;
}

/** Parses the address of a repository's page. */
export function readRepositoryUrl(url: string): { name: string; provider: CodeHost | null } | null {
  const page = toRepositoryUrl(url);
  if (page === null) return null;
  const { hostname, pathname } = new URL(page);
  const provider =
    CODE_HOSTS.find((host) => PUBLIC_HOSTS[host] === hostname) ??
    CODE_HOSTS.find((host) => host !== "other" && hostname.split(".").includes(host)) ??
    null;
  return { name: pathname.slice(1), provider };
}
