// Builds the tables of the search language from its grammar. A test in app/domain/search fails if the tables do not fit the grammar.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildParserFile } from "@lezer/generator";

const FOLDER = join(import.meta.dirname, "../app/domain/search");
const HEAD = "// Generated from search.grammar by scripts/build-search-parser.ts: do not edit.\n";

/** The generated files by name, as they should be. */
export function buildSearchParser(): Record<string, string> {
  const grammar = readFileSync(join(FOLDER, "search.grammar"), "utf8");
  const { parser, terms } = buildParserFile(grammar, {
    fileName: "search.grammar",
    typeScript: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const withoutHead = (text: string) => HEAD + text.replace(/^\/\/.*\n/, "");
  return { "search-parser.ts": withoutHead(parser), "search-parser.terms.ts": withoutHead(terms) };
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(buildSearchParser())) writeFileSync(join(FOLDER, name), text);
}
