/** Answers with a page as Markdown. Null: the page does not exist. */
export function answerMarkdown(text: string | null): Response {
  const headers = { "cache-control": "private, no-store", "x-content-type-options": "nosniff" };
  if (text === null) {
    return new Response("There is no such page.\n", {
      status: 404,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
  return new Response(text, { headers: { ...headers, "content-type": "text/markdown; charset=utf-8" } });
}
