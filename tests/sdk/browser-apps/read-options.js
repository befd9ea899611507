/** What the test says in the page's address: the DSN, and what the application is to leave out. */
export function readOptions() {
  return JSON.parse(new URLSearchParams(location.search).get("options") ?? "{}");
}
