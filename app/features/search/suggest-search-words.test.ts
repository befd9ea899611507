import { describe, expect, test } from "vitest";
import { EVENT_VOCABULARY } from "../../domain/search/event-vocabulary.ts";
import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { applySuggestion, type SearchData, type SearchSuggestion, suggestSearchWords } from "./suggest-search-words.ts";

const TAGS: Record<string, string[]> = { plan: ["pro", "trial"], "Region.Name": ["eu west", ""], release: ["own"] };
const VERSIONS = ["web@1.4.0", "web@1.3.9", "night build", 'a "quoted" one'];
const DATA: SearchData = {
  vocabulary: ISSUE_VOCABULARY,
  projects: [
    { slug: "web", name: "Web shop" },
    { slug: "api", name: "api" },
    { slug: "shop-admin", name: "Back office" },
  ],
  environments: ["production", "eu west", 'a "quoted" one', "staging"],
  recent: ["is:new", "checkout failed"],
  find: ({ key, letters }) => {
    if (key?.endsWith("release"))
      return VERSIONS.filter((version) => version.includes(letters)).map((value) => ({ value, counted: null }));
    const values = key === null ? Object.keys(TAGS) : (TAGS[key] ?? []);
    return values
      .filter((value) => value.toLowerCase().includes(letters))
      .map((value) => ({ value, counted: { share: 0.25 } }));
  },
};

/** `|` is the caret. */
const suggest = (marked: string, data = DATA) => suggestSearchWords(marked.replace("|", ""), marked.indexOf("|"), data);
const texts = (marked: string, data = DATA) => suggest(marked, data).list.map(({ text }) => text);

/** The search after the suggestion of that text was picked, with the caret. */
function pick(marked: string, text: string): string {
  const search = marked.replace("|", "");
  const suggestions = suggest(marked);
  const suggestion = suggestions.list.find((one) => one.text === text) as SearchSuggestion;
  const done = applySuggestion(search, suggestions, suggestion);
  return `${done.search.slice(0, done.caret)}|${done.search.slice(done.caret)}`;
}

describe("the words that a search could have", () => {
  test("before a word, all keys and what was searched for lately", () => {
    expect(texts("is:unresolved |")).toEqual([
      "is:",
      "level:",
      "project:",
      "environment:",
      "release:",
      "first-release:",
      "user:",
      "trace:",
      "plan:",
      "Region.Name:",
      "is:new",
      "checkout failed",
    ]);
    expect(suggest("|").list[0]?.meaning).toContain("status");
    expect(texts("is:new |")).not.toContain("is:new");
  });

  test("a few letters are the begin of a key, or of a value that needs none", () => {
    expect(texts("le|")).toEqual(["level:"]);
    expect(texts("os|")).toEqual(["os.name:", "os:"]);
    expect(texts("user.|")).toEqual(["user.id:", "user.email:", "user.username:", "user.ip:"]);
    expect(texts("unh|")).toEqual(["is:unhandled"]);
    expect(texts("er|")).toEqual(["error.type:", "error.value:", "error.unhandled:", "level:error"]);
    expect(texts("checkout|")).toEqual([]);
  });

  test("after a key, its values: those that begin so, then those that hold it", () => {
    expect(texts("level:|")).toEqual(["level:fatal", "level:error", "level:warning", "level:info", "level:debug"]);
    expect(texts("is:re|")).toEqual(["is:regressed", "is:resolved", "is:unresolved"]);
    expect(texts("project:shop|")).toEqual(["project:shop-admin", "project:web"]);
    expect(texts("project:ba|")).toEqual(["project:shop-admin"]);
    expect(texts("LEVEL:FA|")).toEqual(["level:fatal"]);
    expect(texts("level:x|")).toEqual([]);
  });

  test("after has, keys that a row may have or not, tags first", () => {
    expect(texts("has:|").slice(0, 4)).toEqual(["has:plan", "has:Region.Name", "has:project", "has:environment"]);
    expect(texts("!has:us|")).toContain("!has:user");
    expect(texts("has:i|").filter((text) => ["has:is", "has:level"].includes(text))).toEqual([]);
    expect(pick("has:[user, pl|] x", "plan")).toBe("has:[user, plan|] x");
    expect(pick("!has:us|", "!has:user")).toBe("!has:user |");
    expect(texts("has:plan|")).toEqual([]);
  });

  test("in a list, its items", () => {
    expect(pick("level:[error, fa|] checkout", "fatal")).toBe("level:[error, fatal|] checkout");
    expect(texts("level:[|")).toEqual(["fatal", "error", "warning", "info", "debug"]);
    expect(pick('environment:["eu|', '"eu west"')).toBe('environment:["eu west" |');
  });

  test("in a list, no value that it has", () => {
    expect(texts("level:[error,fatal,|")).toEqual(["warning", "info", "debug"]);
    expect(texts("level:[error, |, debug] checkout")).toEqual(["fatal", "warning", "info"]);
    expect(texts('environment:["eu west",staging,|')).toEqual(["production", '"a \\"quoted\\" one"']);
    expect(texts('environment:["a \\"quoted\\" one",e|]')).toEqual(['"eu west"']);
    expect(texts("level:[error,err|")).toEqual([]);
    expect(texts("has:[plan,|").includes("plan")).toBe(false);
  });

  test("within a group as outside", () => {
    expect(pick("(level:fa|) checkout", "level:fatal")).toBe("(level:fatal|) checkout");
    expect(texts("is:new OR (le|")).toEqual(["level:"]);
  });

  test("a name with a blank or a quote is quoted", () => {
    expect(texts("environment:|")).toEqual([
      "environment:production",
      'environment:"eu west"',
      'environment:"a \\"quoted\\" one"',
      "environment:staging",
    ]);
    expect(texts('environment:"eu|')).toEqual(['environment:"eu west"']);
  });

  test("after the key of a release, the versions that are known", () => {
    expect(texts("release:|")).toEqual([
      "release:web@1.4.0",
      "release:web@1.3.9",
      'release:"night build"',
      'release:"a \\"quoted\\" one"',
    ]);
    expect(texts("release:la|")).toEqual(["release:latest"]);
    expect(texts("First-Release:1.3|")).toEqual(["first-release:web@1.3.9"]);
    expect(texts('release:"night|')).toEqual(['release:"night build"']);
    expect(texts("release:web@1.4.0|")).toEqual([]);
    expect(texts("!release:1.3|")).toEqual(["!release:web@1.3.9"]);
    expect(suggest("is:new release:Web|").question).toEqual({ key: "release", letters: "web" });
    expect(suggest("level:er|").question).toEqual({ key: "level", letters: "er" });
    expect(suggest("timesSeen:1|").question).toBeNull();
    expect(pick("release:1.4| checkout", "release:web@1.4.0")).toBe("release:web@1.4.0| checkout");
  });

  test("a key that needs quotes is written with them, and has values after them", () => {
    const keys: Record<string, string[]> = {
      "a:b": ["x"],
      "@timestamp": ["now"],
      größe: ["5"],
      'say "hi"': [],
      level: ["own"],
    };
    const data: SearchData = {
      ...DATA,
      find: ({ key, letters }) =>
        (key === null ? Object.keys(keys) : (keys[key] ?? []))
          .filter((value) => value.includes(letters))
          .map((value) => ({ value, counted: null })),
    };
    expect(texts("gr|", data)).toEqual(["größe:"]);
    expect(texts("größe:|", data)).toEqual(["größe:5"]);
    expect(texts("stamp|", data)).toEqual(['"@timestamp":']);
    expect(texts('!"sa|', data)).toEqual(['!"say \\"hi\\"":']);
    expect(texts('"|"', data)).toEqual(['"a:b":', '"@timestamp":', '"say \\"hi\\"":']);
    expect(texts('"a| level:error', data)).toEqual([]);
    expect(texts('is:new !"a:b":|', data)).toEqual(['!"a:b":x']);
    expect(texts('"a:b":x|y', data)).toEqual(['"a:b":x']);
    expect(suggest("tags[größe]:|", data).question).toEqual({ key: "größe", letters: "" });
    expect(texts("tags[größe]:5|5", data)).toEqual(["tags[größe]:5"]);
    expect(texts("tags[level]:|", data)).toEqual([]);
  });

  test("tags by what their keys hold, and after a key its values, with how many events have them", () => {
    expect(texts("nam|")).toEqual(["Region.Name:"]);
    expect(suggest("pla|").list.at(-1)).toEqual({
      kind: "key",
      text: "plan:",
      meaning: "tag",
      counted: "25% of events",
    });
    expect(suggest("pla|").question).toEqual({ key: null, letters: "pla" });
    expect(suggest("plan:|").list[1]).toEqual({
      kind: "value",
      text: "plan:trial",
      meaning: "",
      counted: "25% of events",
    });
    expect(texts("!plan:t|")).toEqual(["!plan:trial"]);
    expect(texts("Region.Name:|")).toEqual(['Region.Name:"eu west"']);
    expect(suggest("Region.Name:Eu|").question).toEqual({ key: "Region.Name", letters: "eu" });
    expect(suggest("os.name:wi|").question).toEqual({ key: "os.name", letters: "wi" });
    expect(texts("plan:pro|")).toEqual([]);
    expect(suggest("user:le|").question).toEqual({ key: "user", letters: "le" });
  });

  test("about events: no words of issues", () => {
    const events: SearchData = { ...DATA, vocabulary: EVENT_VOCABULARY, projects: [], environments: [], recent: [] };
    expect(texts("|", events)).not.toContain("is:");
    expect(texts("|", events)).toContain("plan:");
    expect(texts("unh|", events)).toEqual([]);
    expect(suggest("environment:st|", events).question).toEqual({ key: "environment", letters: "st" });
  });

  test("a word that is whole asks nothing", () => {
    expect(texts("is:unresolved|")).toEqual([]);
    expect(texts("is:unresol|ved")).toEqual([]);
  });

  test("an exclusion stays one", () => {
    expect(texts("!|").slice(0, 3)).toEqual(["!is:", "!level:", "!project:"]);
    expect(texts("!level:inf|")).toEqual(["!level:info"]);
    expect(texts("!environment:stag|")).toEqual(["!environment:staging"]);
  });

  test("what is within quotes is text", () => {
    expect(texts('"le|')).toEqual([]);
  });

  test("says how many have a value, and what people know ahead stays in its order", () => {
    const data: SearchData = {
      ...DATA,
      find: ({ key }) =>
        key === "is"
          ? [
              { value: "resolved", counted: { count: 1, of: "issues" } },
              { value: "new", counted: { count: 1_204, of: "issues", isAtLeast: true } },
            ]
          : [{ value: key ?? "plan", counted: { count: 2, of: "spans" } }],
    };
    const said = (marked: string) => suggest(marked, data).list.map(({ text, counted }) => [text, counted]);
    expect(said("is:|").slice(0, 6)).toEqual([
      ["is:unresolved", null],
      ["is:new", "1,204+ issues"],
      ["is:ongoing", null],
      ["is:escalating", null],
      ["is:regressed", null],
      ["is:resolved", "1 issue"],
    ]);
    expect(said("pla|").at(-1)).toEqual(["plan:", "2 spans"]);
    expect(suggest("pla|", data).list.at(-1)?.meaning).toBe("attribute");
  });

  test("a pick takes the place of the word that the caret is in, and of nothing else", () => {
    expect(pick("le| checkout", "level:")).toBe("level:| checkout");
    expect(pick("is:unresolved level:e|", "level:error")).toBe("is:unresolved level:error |");
    expect(pick("level:|info checkout", "level:fatal")).toBe("level:fatal| checkout");
    expect(pick("checkout |", "checkout failed")).toBe("checkout failed|");
  });

  test("a quote that is not closed leaves what follows as it is", () => {
    expect(pick('environment:"eu| level:error checkout', 'environment:"eu west"')).toBe(
      'environment:"eu west"| level:error checkout',
    );
    expect(pick('release:"web@1.|4 level:error', "release:web@1.4.0")).toBe("release:web@1.4.0| level:error");
    expect(pick('environment:["eu|, staging] level:error', '"eu west"')).toBe(
      'environment:["eu west"|, staging] level:error',
    );
    expect(pick('environment:"eu| wes" level:error', 'environment:"eu west"')).toBe(
      'environment:"eu west"| level:error',
    );
  });
});
