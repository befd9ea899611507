import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider, useSearchParams } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChoicePopover } from "./choice-popover.tsx";

beforeEach(() => vi.stubGlobal("matchMedia", () => ({ matches: true })));
afterEach(() => vi.unstubAllGlobals());

function Filters() {
  const [params] = useSearchParams();
  const options = ["web", "api", "cron"].map((value) => ({ value, label: value }));
  return (
    <ChoicePopover
      name="project"
      label="Projects"
      noun="projects"
      none="All projects"
      chosen={params.getAll("project")}
      options={options}
      toPath={() => "/"}
    />
  );
}

test("boxes follow the page, except those pressed while the next page loads", async () => {
  const pages: Array<() => void> = [];
  const router = createMemoryRouter(
    [{ path: "/", element: <Filters />, loader: () => new Promise<null>((done) => pages.push(() => done(null))) }],
    { hydrationData: { loaderData: { "0": null } } },
  );
  render(<RouterProvider router={router} />);
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox", { hidden: true });
  const checked = () => boxes().flatMap((box) => (box.checked ? box.value : []));
  const check = (value: string) => {
    for (const box of boxes()) if (box.value === value) box.checked = true;
  };

  check("web");
  await act(async () => void router.navigate("/?project=web"));
  // The page has come, and the next box is pressed while it is drawn.
  await act(async () => {
    pages.shift()?.();
    await new Promise((done) => setTimeout(done));
    check("api");
    void router.navigate("/?project=web&project=api");
  });
  expect(checked()).toEqual(["web", "api"]);
  await act(async () => pages.shift()?.());
  expect(checked()).toEqual(["web", "api"]);

  await act(async () => void router.navigate("/"));
  await act(async () => pages.shift()?.());
  expect(checked()).toEqual([]);
});
