/** The answer of server-sent events. `onEnd`: the stream has ended, or its reader has gone. */
export function toEventStream(stream: ReadableStream<Uint8Array>, onEnd: () => void = () => undefined): Response {
  return new Response(tellEnd(stream, onEnd), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Tells nginx not to collect the stream before it sends it on.
      "x-accel-buffering": "no",
    },
  });
}

/** Takes nothing ahead that nobody reads. */
function tellEnd(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
