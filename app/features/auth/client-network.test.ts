import { expect, test } from "vitest";
import { toNetwork } from "./client-network.ts";

test("an IPv4 address is a network by itself", () => {
  expect(toNetwork("203.0.113.7")).toBe("203.0.113.7");
});

test("an IPv6 address counts by its /64, however it is written", () => {
  const addresses = [
    "2001:db8:1:2:3:4:5:6",
    "2001:DB8:1:2::",
    "2001:0db8:0001:0002:ffff:ffff:ffff:ffff",
    "2001:db8:1:2::203.0.113.7",
  ];
  for (const address of addresses) expect(toNetwork(address), address).toBe("2001:db8:1:2::/64");
  expect(toNetwork("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(toNetwork("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(toNetwork("::1")).toBe("0:0:0:0::/64");
  expect(toNetwork("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});

test("anything else shares one network", () => {
  for (const address of [null, "", "localhost", "203.0.113.7:80", "[::1]"]) expect(toNetwork(address)).toBe("unknown");
});
