import { describe, expect, test } from "vitest";
import { cspMessage, cspValueLabel, isKnownDirective } from "./csp-message.ts";

const violation = (
  directive: string,
  blockedUri: string,
  more: { violatedDirective?: string; documentUri?: string } = {},
) => ({
  directive,
  blockedUri,
  violatedDirective: directive,
  documentUri: "https://example.com/page",
  ...more,
});

describe("cspMessage", () => {
  test.each([
    ["img-src", "https://cdn.example.org/a.png", "Blocked 'image' from 'cdn.example.org'"],
    ["script-src-elem", "https://evil.example:8443/x.js", "Blocked 'script' from 'evil.example:8443'"],
    ["font-src", "data", "Blocked 'font' from 'data:'"],
    ["img-src", "data:image/png;base64,AAAA", "Blocked 'image' from 'data:'"],
    ["connect-src", "wss://example.org/ws", "Blocked 'connect' from 'example.org'"],
    ["script-src", "inline", "Blocked unsafe inline 'script'"],
    ["script-src", "eval", "Blocked unsafe eval() 'script'"],
    ["script-src", "wasm-eval", "Blocked unsafe eval() 'script'"],
    ["style-src-attr", "inline", "Blocked unsafe inline 'style'"],
    ["script-src", "", "Blocked unsafe (eval() or inline) 'script'"],
    ["script-src", "https://example.com/own.js", "Blocked unsafe (eval() or inline) 'script'"],
    ["style-src", "self", "Blocked unsafe inline 'style'"],
    ["frame-src", "self", "Blocked 'frame' from 'self'"],
    ["require-trusted-types-for", "trusted-types-sink", "Blocked 'untyped value' from 'trusted-types-sink'"],
  ])("%s and %s: %s", (directive, blockedUri, message) => {
    expect(cspMessage(violation(directive, blockedUri))).toBe(message);
  });

  test("takes the policy's word for what the page's own code did", () => {
    const inline = { violatedDirective: "script-src 'self' 'unsafe-inline'" };
    expect(cspMessage(violation("script-src", "self", inline))).toBe("Blocked unsafe inline 'script'");
    const evaluated = { violatedDirective: "script-src 'self' 'unsafe-eval'" };
    expect(cspMessage(violation("script-src", "self", evaluated))).toBe("Blocked unsafe eval() 'script'");
  });
});

test("cspValueLabel names keywords as a policy writes them", () => {
  expect(cspValueLabel(violation("script-src", "inline"))).toBe("'unsafe-inline'");
  expect(cspValueLabel(violation("script-src", "eval"))).toBe("'unsafe-eval'");
  expect(cspValueLabel(violation("script-src", ""))).toBe("'self'");
  expect(cspValueLabel(violation("img-src", "https://cdn.example.org/a/b?c"))).toBe("cdn.example.org");
  expect(cspValueLabel(violation("img-src", "blob"))).toBe("blob:");
});

test("isKnownDirective knows the directives of the standard and nothing else", () => {
  expect(isKnownDirective("script-src")).toBe(true);
  expect(isKnownDirective("constructor")).toBe(false);
  expect(isKnownDirective("")).toBe(false);
});
