import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// Files of these tests run one after the other in one document: what a test leaves there, the next file would find.
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
