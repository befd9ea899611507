const HEAD_END = Buffer.from("</head>");

/**
 * The same document with `html` before the end of its head. Only the beginning is held back, until the head's end has come;
 * the rest passes untouched, as soon as it is rendered.
 */
export function insertIntoHead(document: ReadableStream<Uint8Array>, html: string): ReadableStream<Uint8Array> {
  if (html === "") return document;
  const reader = document.getReader();
  let beginning: Uint8Array[] | null = [];
  return new ReadableStream({
    async pull(controller) {
      while (beginning) {
        const { done, value } = await reader.read();
        if (value) beginning.push(value);
        const joined = Buffer.concat(beginning);
        const at = joined.indexOf(HEAD_END);
        if (at === -1 && !done) continue;
        beginning = null;
        if (at === -1) controller.enqueue(joined);
        else controller.enqueue(Buffer.concat([joined.subarray(0, at), Buffer.from(html), joined.subarray(at)]));
        if (done) controller.close();
        return;
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
