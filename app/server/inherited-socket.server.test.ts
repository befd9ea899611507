import { expect, test } from "vitest";
import { findInheritedSocket } from "./inherited-socket.server.ts";

test("a socket is taken from systemd if it is for this process", () => {
  expect(findInheritedSocket({ LISTEN_PID: "7", LISTEN_FDS: "1" }, 7)).toBe(3);
  expect(findInheritedSocket({ LISTEN_PID: "6", LISTEN_FDS: "1" }, 7)).toBeNull();
  expect(findInheritedSocket({}, 7)).toBeNull();
});

test("more than one socket is an error, because the others would never be answered", () => {
  expect(() => findInheritedSocket({ LISTEN_PID: "7", LISTEN_FDS: "2" }, 7)).toThrow("LISTEN_FDS is 2");
});
