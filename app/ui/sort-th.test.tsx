import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { SortTh } from "./sort-th.tsx";

function arrowOf(sorted: "ascending" | "descending" | undefined): string | undefined {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <table>
        <thead>
          <tr>
            <SortTh to="/" sorted={sorted}>
              Duration
            </SortTh>
          </tr>
        </thead>
      </table>
    </MemoryRouter>,
  );
  return / d="([^"]+)"/.exec(html)?.[1];
}

test("the arrow of a column's head points up where the smallest come first", () => {
  expect(arrowOf("ascending")).not.toBe(arrowOf("descending"));
  expect(arrowOf(undefined)).toBe(arrowOf("descending"));
});
