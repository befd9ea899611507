import { expect, test } from "vitest";
import { DataFolderInUseError } from "../data-folder/lock-data-folder.server.ts";
import { explainStartFailure } from "./start-failure.server.ts";

const at = { port: 80, host: "errors.test" };
const failed = (code: string, syscall = "listen") => Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

test("says which variable an operator can change", () => {
  expect(explainStartFailure(failed("EADDRINUSE"), at)).toContain("port 80: stop it, or set PORT");
  expect(explainStartFailure(failed("EACCES"), at)).toContain("may not listen on port 80: set PORT");
  expect(explainStartFailure(failed("EADDRNOTAVAIL"), at)).toContain("no address errors.test: set HOST");
  expect(explainStartFailure(failed("ENOTFOUND", "getaddrinfo"), at)).toContain("no address errors.test: set HOST");
  expect(explainStartFailure(new DataFolderInUseError("another Culprit runs"), at)).toBe("another Culprit runs");
});

test("leaves to its stack what is a fault", () => {
  expect(explainStartFailure(new Error("a fault"), at)).toBeNull();
  expect(explainStartFailure(failed("EMFILE"), at)).toBeNull();
  // A file of another user is no port that this user may not have.
  expect(explainStartFailure(failed("EACCES", "open"), at)).toBeNull();
});
