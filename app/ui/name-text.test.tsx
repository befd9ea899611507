import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { NameText } from "./name-text.tsx";

test.each([
  ["runtime.boundsError", "runtime.<wbr>boundsError"],
  ["std::io::Error", "std::<wbr>io::<wbr>Error"],
  ["Oops. It broke in 2 s.", "Oops. It broke in 2 s."],
])("%s may break between its parts", (text, drawn) => {
  const { container } = render(<NameText text={text} />);
  expect(container.innerHTML).toBe(`<bdi>${drawn}</bdi>`);
  expect(container.textContent).toBe(text);
});
