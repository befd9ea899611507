import { expect, test } from "vitest";
import { readModelCall } from "./model-call.ts";

// The attributes in these tests are those that @sentry/node 11.12 sent for calls of `openai` 6, `ai` 6 and `@anthropic-ai/sdk` 1.

test("a chat has its model, its tokens and its messages in order", () => {
  const call = readModelCall({
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-5",
    "gen_ai.response.model": "gpt-5-2026-08-01",
    "gen_ai.system_instructions": '[{"type":"text","content":"You are a shop assistant."}]',
    "gen_ai.input.messages": '[{"role":"user","content":"Where is order 17?"}]',
    "gen_ai.response.text": '["Hello from the model"]',
    "gen_ai.usage.input_tokens": 1234,
    "gen_ai.usage.cache_read.input_tokens": 1000,
    "gen_ai.usage.output_tokens": 56,
    "gen_ai.usage.reasoning.output_tokens": 12,
  });
  expect(call).toEqual({
    model: "gpt-5-2026-08-01",
    provider: "openai",
    tokens: { input: 1234, cached: 1000, output: 56, reasoning: 12 },
    messages: [
      { role: "system", text: "You are a shop assistant." },
      { role: "user", text: "Where is order 17?" },
      { role: "assistant", text: "Hello from the model" },
    ],
    messageCount: 3,
    keys: ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.response.text"],
  });
});

test("calls of tools and their results are written as a call and its answer", () => {
  const call = readModelCall({
    "gen_ai.input.messages": JSON.stringify([
      { role: "user", content: [{ type: "text", text: "What is the weather in Paris?" }] },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call_1", toolName: "weather", input: { city: "Paris" } }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call_1",
            toolName: "weather",
            output: { type: "json", value: { degrees: 21 } },
          },
        ],
      },
    ]),
    "gen_ai.output.messages":
      '[{"role":"assistant","parts":[{"type":"tool_call","id":"call_2","name":"wind","arguments":"{\\"city\\":\\"Paris\\"}"}],"finish_reason":"tool_call"}]',
  });
  expect(call?.messages).toEqual([
    { role: "user", text: "What is the weather in Paris?" },
    { role: "assistant", text: 'weather({"city":"Paris"})' },
    { role: "tool", text: '{"degrees":21}' },
    { role: "assistant", text: 'wind({"city":"Paris"})' },
  ]);
});

test("older SDKs, and OpenAI's own form of calls", () => {
  const call = readModelCall({
    "gen_ai.system": "openai",
    "gen_ai.request.messages": JSON.stringify([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ function: { name: "weather", arguments: '{"city":"Rome"}' } }],
      },
      { role: "tool", content: "21 degrees" },
    ]),
    "gen_ai.response.tool_calls": '[{"type":"function","function":{"name":"stop","arguments":"{}"}}]',
    "gen_ai.usage.prompt_tokens": "10",
  });
  expect(call).toMatchObject({ provider: "openai", tokens: { input: 10, output: null } });
  expect(call?.messages).toEqual([
    { role: "assistant", text: 'weather({"city":"Rome"})' },
    { role: "tool", text: "21 degrees" },
    { role: "assistant", text: "stop({})" },
  ]);
});

test.each([
  ["a plain text", "hello responses", "hello responses"],
  ["JSON that the SDK cut", '[{"role":"user","content":"lorem ip', '[{"role":"user","content":"lorem ip'],
])("%s is one message", (_, sent, text) => {
  expect(readModelCall({ "gen_ai.input.messages": sent })?.messages).toEqual([{ role: "user", text }]);
});

test("long conversations and long messages are bounded", () => {
  const sent = Array.from({ length: 80 }, (_, at) => ({
    role: "user",
    content: at === 79 ? "x".repeat(20_000) : `${at}`,
  }));
  const call = readModelCall({ "gen_ai.input.messages": JSON.stringify(sent) });
  expect(call?.messages).toHaveLength(50);
  expect(call?.messages[0]?.text).toBe("30");
  expect(call?.messages[49]?.text.length).toBeLessThanOrEqual(10_001);
  expect(call?.messageCount).toBe(80);
});

test("other spans have no call", () => {
  expect(readModelCall({ "http.request.method": "GET" })).toBeNull();
  expect(readModelCall({ "gen_ai.agent.name": "shop" })).toBeNull();
});
