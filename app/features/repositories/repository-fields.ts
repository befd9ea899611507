import { z } from "zod";
import { CODE_HOSTS, type CodeHost } from "../../domain/source-link.ts";
import { text } from "../input/fields.ts";
import { toRepositoryUrl } from "./repository-url.ts";

/**
 * Fields for the host and address of a repository, for forms and the web API. They can also be changed for repositories that builds have
 * named.
 */
export const placeFields = {
  provider: z
    .string()
    .trim()
    .transform((name, context): CodeHost => {
      const host = CODE_HOSTS.find((known) => known === name.toLowerCase().replace(/^integrations:/, ""));
      if (!host) context.addIssue(`must be one of ${CODE_HOSTS.join(", ")}`);
      return host ?? z.NEVER;
    })
    .nullish()
    .describe("`github`, `gitlab`, `gitea`, `bitbucket` or `other`; `integrations:` may stand before it"),
  url: z
    .string()
    .trim()
    .max(2000)
    .transform((address, context): string | null => {
      if (address === "") return null;
      const parsed = toRepositoryUrl(address);
      if (parsed === null) context.addIssue("must be the address of a page, like https://github.com/acme/shop");
      return parsed;
    })
    .nullish()
    .describe("tools recognise their checkout by it, and then send its newest commit without a list"),
};

export const repositoryName = text(200, "must be a name, like acme/shop")
  .refine((name) => !/\s/.test(name), "must have no blanks")
  .describe("as tools name it: `owner/repo`");
