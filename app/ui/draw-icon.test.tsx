import { Bug, FolderCog, type LucideIcon, Trash } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import drawIcon, { type IconShape } from "./draw-icon.tsx";

/** The file of an icon exports its shape beside its component. */
const load = async (name: string): Promise<{ __iconData: { node: IconShape } }> =>
  import(`${import.meta.dirname}/../../node_modules/lucide-react/dist/esm/icons/${name}.mjs`);

function draw(Icon: LucideIcon | ReturnType<typeof drawIcon>) {
  const page = document.createElement("div");
  page.innerHTML = renderToStaticMarkup(<Icon className="size-4" />);
  const svg = page.querySelector("svg");
  const { class: className, ...attributes } = Object.fromEntries(
    [...(svg?.attributes ?? [])].map(({ name, value }) => [name, value]),
  );
  return { classes: className?.split(" ") ?? [], attributes, inside: svg?.innerHTML };
}

test.each<[string, LucideIcon]>([
  ["bug", Bug],
  ["folder-cog", FolderCog],
  ["trash", Trash],
])("%s is drawn as the library draws it", async (name, OfLibrary) => {
  const { __iconData } = await load(name);
  const drawn = draw(drawIcon(name, __iconData.node));
  const expected = draw(OfLibrary);
  expect(drawn.attributes).toEqual(expected.attributes);
  expect(drawn.inside).toBe(expected.inside);
  expect(drawn.inside).toContain("<path");
  expect(drawn.classes).toEqual(["lucide", `lucide-${name}`, "size-4"]);
  // The library also adds classes for the aliases of an icon.
  expect(expected.classes).toEqual(expect.arrayContaining(drawn.classes));
});
