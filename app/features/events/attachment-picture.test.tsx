import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ItemRow } from "../../stores/events/items.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { AttachmentPicture } from "./attachment-picture.tsx";

test("a file that is no image has a sentence in its place", () => {
  render(<AttachmentPicture path="/files/1" name="screen.png" />);
  const image = screen.getByRole("img", { name: "Attached: screen.png" });
  fireEvent.error(image);
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.getByText(/no image that a browser can show/)).toBeDefined();
});

test("a file whose name has no ending is shown as the picture that its sender calls it", () => {
  const file = { type: "attachment", eventId: "e".repeat(32), sequence: 3, contentBytes: 9 };
  const attachments = [
    { ...file, itemIndex: 0, name: "screenshot", contentType: "image/png" },
    { ...file, itemIndex: 1, name: "drawing", contentType: "image/svg+xml" },
  ] as ItemRow[];
  const page = { row: { eventId: file.eventId }, attachments, attachmentsPage: 1, hasMoreAttachments: false };
  render(<AttachmentList page={page} path="/issues/1/events/1" />);
  expect(screen.getAllByRole("img").map((image) => image.getAttribute("alt"))).toEqual(["Attached: screenshot"]);
});
