import { expect, test } from "vitest";
import { toNameGroup } from "./name-group.ts";

test.each([
  ["GET /cart/4711/items", "GET /cart/?/items"],
  ["GET https://api.example/v1/users/17?page=2&q=a", "GET https://api.example/v1/users/?"],
  ["/checkout?step=2", "/checkout"],
  ["GET 127.0.0.1", "GET 127.0.0.1"],
  ["GET http://10.0.0.7:8080/users/17", "GET http://10.0.0.7:?/users/?"],
  ["GET http://10.0.0.7/compare/10.0.0.8", "GET http://10.0.0.7/compare/?"],
  ["connect to 10.0.0.7", "connect to ?"],
  ["GET 1.2.3", "GET ?"],
  ["GET /orders/:id", "GET /orders/:id"],
  ["load 6fa459ea-ee8a-3ca4-894e-db77e160355e of 0123456789abcdef", "load ? of ?"],
  ["read 'a b' and \"c\"", "read ? and ?"],
  ["SELECT * FROM carts WHERE id = 4711 AND name = 'it''s' -- why", "SELECT * FROM carts WHERE id = ? AND name = ?"],
  ["select a from b where c in ($1, $2, $3)", "select a from b where c in (?)"],
  ["INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')", "INSERT INTO t (a, b) VALUES (?)"],
  ["UPDATE t1 SET a = %s WHERE b = :id", "UPDATE t1 SET a = ? WHERE b = ?"],
  ["main.<locals>.run2", "main.<locals>.run2"],
  ["  a\n  b ", "a b"],
])("%s", (name, group) => {
  expect(toNameGroup(name)).toBe(group);
});

test("a name that is long is read in time, and its group is short", () => {
  for (const piece of ["(", "(?,", "'", "/*", "a0", " /", "0123456789abcdef", "\t "])
    expect(toNameGroup(`SELECT ${piece.repeat(500_000)}`).length).toBeLessThanOrEqual(200);
});
