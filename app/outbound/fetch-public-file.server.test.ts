import type { LookupAddress } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type FetchPublicFileOptions, fetchPublicFile } from "./fetch-public-file.server.ts";
import { isPublicAddress } from "./public-address.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A server on an address of the loopback; gives its port and what it was asked for. */
async function serve(listener: RequestListener, host = "127.0.0.1"): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.headers.host}${req.url}`);
    listener(req, res);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  return { port: (server.address() as AddressInfo).port, asked };
}

/** 127.0.0.1 stands for the public internet; every other address is what it is. */
function optionsFor(port: number, names: Record<string, string[]> = {}): FetchPublicFileOptions {
  return {
    isPublic: (address) => address === "127.0.0.1" || isPublicAddress(address),
    ports: new Set(["", String(port)]),
    resolve: async (hostname) =>
      (names[hostname] ?? []).map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
  };
}

describe("addresses that are not public", () => {
  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "not an address",
    "",
  ])("%s", (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
    "but %s is public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("what is not fetched", () => {
  test.each([
    "http://127.0.0.1/app.js",
    "http://2130706433/app.js",
    "http://0x7f000001/app.js",
    "http://0x7f.0.0.1/app.js",
    "http://0177.0.0.1/app.js",
    "http://017700000001/app.js",
    "http://127.1/app.js",
    "http://①②⑦.0.0.1/app.js",
    "http://0/app.js",
    "http://[::1]/app.js",
    "http://[::ffff:127.0.0.1]/app.js",
    "http://[::ffff:7f00:1]/app.js",
    "http://[64:ff9b::7f00:1]/app.js",
    "http://[fe80::1]/app.js",
    "http://[fd00:ec2::254]/latest",
    "http://169.254.169.254/latest/meta-data",
  ])("an address of the network in any spelling: %s", async (url) => {
    expect(await fetchPublicFile(url)).toEqual({
      kind: "refused",
      reason: expect.stringContaining("is not at a public address"),
    });
  });

  test("a name that leads into the network, even as one of several addresses", async () => {
    const { port, asked } = await serve((_, res) => res.end("public"));
    const both = optionsFor(port, { "both.example": ["127.0.0.1", "192.168.0.1"] });
    expect(await fetchPublicFile(`http://both.example:${port}/app.js`, both)).toEqual({
      kind: "refused",
      reason: "both.example was not found, or is not at a public address",
    });
    expect(asked).toEqual([]);
    const options = optionsFor(0, {
      "inside.example": ["10.0.0.5"],
      "six.example": ["fd12::1"],
      "mapped.example": ["::ffff:10.0.0.5"],
    });
    for (const name of ["inside", "six", "mapped"]) {
      expect(await fetchPublicFile(`https://${name}.example/app.js`, options)).toEqual({
        kind: "refused",
        reason: `${name}.example was not found, or is not at a public address`,
      });
    }
    expect(await fetchPublicFile("http://localhost/app.js")).toMatchObject({ kind: "refused" });
    expect(await fetchPublicFile("http://nowhere.example/", options)).toEqual({
      kind: "failed",
      reason: "nowhere.example was not found, or is not at a public address",
    });
  });

  test("other protocols, ports and credentials", async () => {
    const reasonOf = async (url: string) => {
      const answer = await fetchPublicFile(url, { resolve: async () => [{ address: "8.8.8.8", family: 4 }] });
      return answer.kind === "refused" ? answer.reason : answer.kind;
    };
    expect(await reasonOf("file:///etc/passwd")).toContain("only http and https");
    expect(await reasonOf("ftp://shop.example/app.js")).toContain("only http and https");
    expect(await reasonOf("app:///main.js")).toContain("only http and https");
    expect(await reasonOf("http://shop.example:22/")).toContain("port 22");
    expect(await reasonOf("https://shop.example:8443/")).toContain("port 8443");
    expect(await reasonOf("https://user:secret@shop.example/")).toContain("credentials");
    expect(await reasonOf("not a url")).toContain("no URL");
  });

  test("a URL that the project refuses, at every hop", async () => {
    const { port, asked } = await serve((_, res) =>
      res.writeHead(302, { location: `http://other.example:${port}/x` }).end(),
    );
    const options = {
      ...optionsFor(port, { "shop.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] }),
      refuse: (url: URL) => (url.hostname === "shop.example" ? null : `${url.origin} is not allowed`),
    };
    expect(await fetchPublicFile(`http://shop.example:${port}/app.js`, options)).toEqual({
      kind: "refused",
      reason: `http://other.example:${port} is not allowed`,
    });
    expect(asked).toEqual([`shop.example:${port}/app.js`]);
  });
});

describe("redirects", () => {
  test("into the network are refused, whatever they are written as, and nothing is asked there", async () => {
    const inside = await serve((_, res) => res.end("secret"), "127.0.0.2");
    for (const location of [
      `http://127.0.0.2:${inside.port}/`,
      `http://2130706434:${inside.port}/`,
      `http://[::ffff:127.0.0.2]:${inside.port}/`,
      `http://inside.example:${inside.port}/`,
      "file:///etc/passwd",
    ]) {
      const { port } = await serve((_, res) => res.writeHead(302, { location }).end());
      const options = optionsFor(port, { "shop.example": ["127.0.0.1"], "inside.example": ["127.0.0.2"] });
      const ports = new Set(["", String(port), String(inside.port)]);
      expect(await fetchPublicFile(`http://shop.example:${port}/`, { ...options, ports })).toMatchObject({
        kind: "refused",
      });
    }
    expect(inside.asked).toEqual([]);
  });

  test("are followed three times, relative ones too, and not a fourth", async () => {
    const { port } = await serve((req, res) => {
      const left = Number(/\d+/.exec(req.url ?? "")?.[0]);
      if (left === 0) res.end("here");
      else res.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const options = optionsFor(port, { "shop.example": ["127.0.0.1"] });
    expect(await fetchPublicFile(`http://shop.example:${port}/3`, options)).toMatchObject({ kind: "fetched" });
    expect(await fetchPublicFile(`http://shop.example:${port}/4`, options)).toEqual({
      kind: "failed",
      reason: "it redirects more than 3 times",
    });
  });
});

test("a name that gives another address the second time is connected to where it was checked", async () => {
  const inside = await serve((_, res) => res.end("secret"), "127.0.0.2");
  const outside = await serve((_, res) => res.end("public"));
  let count = 0;
  const answer = await fetchPublicFile(`http://rebinding.example:${outside.port}/app.js`, {
    ...optionsFor(outside.port),
    resolve: async () => [{ address: ++count === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
  });
  expect(answer).toEqual({ kind: "fetched", bytes: Buffer.from("public"), sourceMapUrl: null });
  expect([count, inside.asked.length]).toEqual([1, 0]);
});

test("a connection that ends up elsewhere is given up before anything is sent", async () => {
  const { port, asked } = await serve((_, res) => res.end("secret"));
  let checks = 0;
  const answer = await fetchPublicFile(`http://shop.example:${port}/`, {
    ...optionsFor(port, { "shop.example": ["127.0.0.1"] }),
    isPublic: () => ++checks === 1,
  });
  expect(answer).toMatchObject({ kind: "refused" });
  expect(asked).toEqual([]);
});

describe("what is fetched", () => {
  const fetchFrom = async (listener: RequestListener, more: FetchPublicFileOptions = {}) => {
    const { port } = await serve(listener);
    return fetchPublicFile(`http://shop.example:${port}/app.js`, {
      ...optionsFor(port, { "shop.example": ["127.0.0.1"] }),
      ...more,
    });
  };

  test("comes with the header that names its map, decompressed, and nothing was sent that says who asks", async () => {
    let sent: Record<string, unknown> = {};
    const answer = await fetchFrom((req, res) => {
      sent = req.headers;
      res.writeHead(200, { "content-encoding": "gzip", sourcemap: "app.js.map" }).end(gzipSync("f();"));
    });
    expect(answer).toEqual({ kind: "fetched", bytes: Buffer.from("f();"), sourceMapUrl: "app.js.map" });
    expect(Object.keys(sent).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
    const brotli = await fetchFrom((_, res) =>
      res.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("g();")),
    );
    expect(brotli).toMatchObject({ bytes: Buffer.from("g();") });
  });

  test("has at most so many bytes, decompressed: bombs and endless answers are given up", async () => {
    const failed = { kind: "failed", reason: "it has over 1000 bytes" };
    const limit = { maxBytes: 1000 };
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(await fetchFrom((_, res) => res.writeHead(200, { "content-encoding": "gzip" }).end(bomb), limit)).toEqual(
      failed,
    );
    expect(await fetchFrom((_, res) => res.end(Buffer.alloc(1001)), limit)).toEqual(failed);
    expect(await fetchFrom((_, res) => res.end(Buffer.alloc(1000)), limit)).toMatchObject({ kind: "fetched" });
    const endless: RequestListener = (_, res) => {
      const timer = setInterval(() => res.write(Buffer.alloc(300)), 1);
      res.on("close", () => clearInterval(timer));
    };
    expect(await fetchFrom(endless, limit)).toEqual(failed);
  });

  test("takes at most so long, from the name server's answer to the last byte", async () => {
    const late = { kind: "failed", reason: "it took too long" };
    expect(await fetchFrom(() => {}, { timeoutMs: 50 })).toEqual(late);
    expect(await fetchFrom((_, res) => void res.write("f("), { timeoutMs: 50 })).toEqual(late);
    const half: RequestListener = (_, res) =>
      void res.writeHead(200, { "content-encoding": "gzip" }).write(gzipSync("f()").subarray(0, 12));
    expect(await fetchFrom(half, { timeoutMs: 50 })).toEqual(late);
    expect(await fetchFrom(() => {}, { timeoutMs: 50, resolve: () => new Promise(() => {}) })).toEqual(late);
  });

  test("is an answer of HTTP: a change of the protocol is one that failed", async () => {
    const changes = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";
    expect(await fetchFrom((_, res) => void res.socket?.write(changes))).toEqual({
      kind: "failed",
      reason: "the server answered 101 and changed the protocol",
    });
  });

  test("is a file: other statuses, broken bodies and encodings are said", async () => {
    expect(await fetchFrom((_, res) => res.writeHead(404).end())).toEqual({
      kind: "failed",
      reason: "the server answered 404",
    });
    expect(await fetchFrom((_, res) => res.writeHead(302).end())).toEqual({
      kind: "failed",
      reason: "the server answered 302",
    });
    expect(await fetchFrom((_, res) => res.writeHead(200, { "content-encoding": "rot13" }).end())).toMatchObject({
      kind: "failed",
    });
    expect(await fetchFrom((_, res) => res.writeHead(200, { "content-encoding": "gzip" }).end("plain"))).toMatchObject({
      kind: "failed",
    });
    expect(await fetchFrom((_, res) => void res.socket?.destroy())).toMatchObject({ kind: "failed" });
    const cut: RequestListener = (_, res) => {
      res.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => res.socket?.destroy(), 5);
    };
    expect(await fetchFrom(cut)).toMatchObject({ kind: "failed" });
  });
});
