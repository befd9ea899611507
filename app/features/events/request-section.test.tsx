import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { RequestSection } from "./request-section.tsx";

test("headers of one name are counted by that name", () => {
  const headers: Array<[string, string]> = [
    ["Accept", "*/*"],
    ["X-Way", "a"],
    ["X-Way", "b"],
    ["X-Way", "c"],
  ];
  render(<RequestSection request={{ url: "https://shop.example/", headers }} />);
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    "Accept",
    "X-Way",
    "X-Way (2)",
    "X-Way (3)",
  ]);
});
