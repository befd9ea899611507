/** The answer with server-sent events. `onEnd` is called when the stream has ended or its reader is gone. */
export function toEventStream(stream: ReadableStream<Uint8Array>, onEnd: () => void = () => undefined): Response {
  return new Response(tellEnd(stream, onEnd), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      // Tells nginx to pass the stream on without buffering.
      "x-accel-buffering": "no",
    },
  });
}

/** It reads nothing before somebody asks for it. */
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
