import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FeedbackPicture } from "./feedback-picture.tsx";

test("a file that is no image has a sentence in its place", () => {
  render(<FeedbackPicture path="/files/1?view" name="screen.png" />);
  const image = screen.getByRole("img", { name: "Sent with the message: screen.png" });
  fireEvent.error(image);
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.getByText(/no image that a browser can show/)).toBeDefined();
});
