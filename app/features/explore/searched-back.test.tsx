import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { readExploreOptions } from "./explore-options.ts";
import { SearchedBack } from "./searched-back.tsx";

const REACH = { searchedFrom: Date.UTC(2026, 4, 17), progress: { searched: 1_000, spans: 9_400, next: 77 } };

/** The text, and the addresses of its links. */
function render(query: string, reach: typeof REACH | null) {
  const options = readExploreOptions(new URLSearchParams(query));
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <SearchedBack reach={reach} options={options} />
    </MemoryRouter>,
  );
  return {
    text: html.replace(/<[^>]*>/g, ""),
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => address.replaceAll("&amp;", "&")),
  };
}

test("says nothing of a search that came to the end at once", () => {
  expect(render("q=plan:pro", null).text).toBe("");
});

test("says how far a search came, and leads on", () => {
  const { text, links } = render("q=plan:pro", REACH);
  expect(text).toMatch(/^Searched 1\S*000? of 9\S*4\S* spans, back to 2026-05-17 00:00:00 UTC. Continue the search$/);
  expect(links).toEqual(["/traces?q=plan%3Apro&before=77"]);
});

test("leads back to the newest from where it went on, also when it is done", () => {
  expect(render("q=plan:pro&before=90", REACH).links).toEqual([
    "/traces?q=plan%3Apro&before=77",
    "/traces?q=plan%3Apro",
  ]);
  const done = render("q=plan:pro&before=90", null);
  expect(done.text).toContain("The search is done");
  expect(done.links).toEqual(["/traces?q=plan%3Apro"]);
});
