import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { AttachmentPicture } from "./attachment-picture.tsx";

test("a file that is no image has a sentence in its place", () => {
  render(<AttachmentPicture path="/files/1" name="screen.png" />);
  const image = screen.getByRole("img", { name: "Attached: screen.png" });
  fireEvent.error(image);
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.getByText(/no image that a browser can show/)).toBeDefined();
});
