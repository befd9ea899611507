import type { IssueQuery } from "../../stores/state/issue-store.ts";

/** `release:web@1.4.0`, `first-release:"a b"`; also as other tools write the second. */
const RELEASE_WORD = /(?<=^|\s)(!?)(release|first-?release):(?:"([^"]*)"?|(\S*))(?=\s|$)/gi;

/** Takes out of a search the words that name releases; `rest` is the search without them. */
export function takeReleaseWords(search: string): {
  filter: Pick<IssueQuery, "release" | "firstRelease">;
  rest: string;
  /** One sentence for each word that could not be used. */
  problems: string[];
} {
  const filter: Pick<IssueQuery, "release" | "firstRelease"> = {};
  const problems: string[] = [];
  const rest = search.replace(RELEASE_WORD, (word, sign: string, key: string, quoted?: string, bare?: string) => {
    const name = key.toLowerCase() === "release" ? "release" : "firstRelease";
    const version = (quoted ?? bare ?? "").trim();
    if (sign) problems.push(`“${word}” is not known: an issue may have events of several releases.`);
    else if (version === "") problems.push(`“${key}:” needs a version after the colon.`);
    else if (filter[name] !== undefined && filter[name] !== version)
      problems.push(`“${word}” is one too many: only one ${key}: can be looked for.`);
    else filter[name] = version;
    return "";
  });
  return { filter, rest: rest.trim(), problems };
}
