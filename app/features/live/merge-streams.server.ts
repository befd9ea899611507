/**
 * Merges two streams: each chunk stays whole and in its order. The result ends with the first stream. `side` may end earlier. No
 * chunks are collected ahead of the reader.
 */
export function mergeStreams(
  main: ReadableStream<Uint8Array>,
  side: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const readers = [main.getReader(), side.getReader()] as const;
  const ask = (reader: (typeof readers)[number]) =>
    reader.read().then(({ value }) => ({ reader, value: value ?? null }));
  let [fromMain, fromSide]: [ReturnType<typeof ask>, ReturnType<typeof ask> | null] = [
    ask(readers[0]),
    ask(readers[1]),
  ];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { reader, value } = await Promise.race(fromSide === null ? [fromMain] : [fromMain, fromSide]);
        if (reader === readers[1]) {
          fromSide = value === null ? null : ask(reader);
          if (value === null) return this.pull?.(controller);
        } else if (value === null) {
          await readers[1].cancel();
          return controller.close();
        } else fromMain = ask(reader);
        if (value !== null) controller.enqueue(value);
      },
      async cancel(reason) {
        await Promise.all(readers.map((reader) => reader.cancel(reason)));
      },
    },
    { highWaterMark: 0 },
  );
}
