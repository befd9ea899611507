import { expect, test } from "vitest";
import { nameRequest } from "./request-name.ts";

test.each([
  ["GET", "http://localhost:4323/nothing?token=1#top", "GET /nothing"],
  ["POST", "/pay", "POST /pay"],
  ["GET", "https://shop.example", "GET"],
  ["GET", null, "GET"],
  ["GET /users/:id", "http://localhost/users/7", "GET /users/:id"],
  ["get", "http://localhost/users/7", "get"],
  [null, "http://localhost/users/7", null],
])("%s of %s is %s", (name, url, shown) => {
  expect(nameRequest(name, url)).toBe(shown);
});
