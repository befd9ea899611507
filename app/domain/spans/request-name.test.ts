import { expect, test } from "vitest";
import { nameRequest } from "./request-name.ts";

test.each([
  ["http.server", "GET", "http://localhost:4323/nothing?token=1#top", "GET /nothing"],
  ["http.client", "GET", "https://anna:secret@api.example:8443/v1/charges?key=1", "GET api.example:8443/v1/charges"],
  ["http.client", "POST", "https://api.example", "POST api.example"],
  [null, "POST", "/pay", "POST /pay"],
  ["http.server", "HTTP", "/cache/7", "HTTP /cache/7"],
  ["http.server", "GET", "https://shop.example", "GET"],
  ["http.server", "GET", null, "GET"],
  ["http.server", "GET /users/:id", "http://localhost/users/7", "GET /users/:id"],
  ["http.server", "get", "http://localhost/users/7", "get"],
  ["http.server", null, "http://localhost/users/7", null],
])("%s %s of %s is %s", (op, name, url, shown) => {
  expect(nameRequest(name, { op, url })).toBe(shown);
});
