import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { readExploreOptions } from "./explore-options.ts";
import { SearchedBack } from "./searched-back.tsx";

const TO = Date.UTC(2026, 4, 20);
const searchable = { from: TO - 10 * DAY_MS, to: TO };

/** The text, and the addresses of its links. */
function render(page: { searchedFrom: number | null; searchedTo: number | null }) {
  const options = readExploreOptions(new URLSearchParams("q=plan:pro"));
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <SearchedBack page={{ ...page, searchable }} options={options} />
    </MemoryRouter>,
  );
  return {
    text: html.replace(/<[^>]*>/g, ""),
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => address.replaceAll("&amp;", "&")),
  };
}

test("says nothing of a search that came to the end", () => {
  expect(render({ searchedFrom: null, searchedTo: null }).text).toBe("");
});

test("says how far a search came, and leads on", () => {
  const searchedFrom = TO - 3 * DAY_MS;
  const { text, links } = render({ searchedFrom, searchedTo: null });
  expect(text).toContain(
    "Searched back to 2026-05-17 00:00:00 UTC: 30 % of the time range is done. Continue the search",
  );
  expect(links).toEqual([`/traces?q=plan%3Apro&before=${searchedFrom}`]);
});

test("never says that all is done while something is left, and leads back to the newest", () => {
  const { text, links } = render({ searchedFrom: searchable.from + 1, searchedTo: TO - 9 * DAY_MS });
  expect(text).toContain("99 % of the time range is done");
  expect(links.at(-1)).toBe("/traces?q=plan%3Apro");
  const done = render({ searchedFrom: null, searchedTo: TO - 9 * DAY_MS });
  expect(done.text).toContain("Searched back to the start of the time range");
  expect(done.links).toEqual(["/traces?q=plan%3Apro"]);
});

test("does not lead on where it would stay", () => {
  const { text, links } = render({ searchedFrom: TO - DAY_MS, searchedTo: TO - DAY_MS });
  expect(text).toContain("Older spans need a search without attributes");
  expect(links).toEqual(["/traces?q=plan%3Apro"]);
});
