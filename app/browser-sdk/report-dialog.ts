/** Texts that a page may give by the option of this name, each with what stands there otherwise. */
export interface ReportDialogTexts {
  title: string;
  subtitle: string;
  subtitle2: string;
  labelName: string;
  labelEmail: string;
  labelComments: string;
  labelClose: string;
  labelSubmit: string;
  errorGeneric: string;
  errorFormEntry: string;
  successMessage: string;
}

export interface ReportDialogConfig {
  style: string;
  texts: ReportDialogTexts;
  maxContactLength: number;
  maxCommentsLength: number;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Runs on pages of others: it is sent as its own source text, so it may use nothing from outside.
 *
 * Asks the user what happened, in a dialog with a shadow root of its own. What it shows and where it sends to stand in the query
 * of its own address, as `Sentry.showReportDialog` puts them there. They become texts and values, never markup or code.
 */
export function reportDialog(config: ReportDialogConfig): void {
  const tag = document.currentScript as HTMLScriptElement | null;
  const mark = "data-report-dialog";
  // An open dialog stays, with what the user has written.
  if (!tag?.src || document.querySelector(`[${mark}]`)) return;
  if (!("timeout" in AbortSignal) || !("adoptedStyleSheets" in document)) {
    console.warn("This browser is too old for the report dialog");
    return;
  }
  const url = new URL(tag.src);
  const query = url.searchParams;
  // Name and address of the user stay out of the second address.
  const target = `${url.origin}${url.pathname}?${new URLSearchParams({
    dsn: query.get("dsn") ?? "",
    eventId: query.get("eventId") ?? "",
  })}`;

  const host = document.createElement("div");
  host.setAttribute(mark, "");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(config.style);
  root.adoptedStyleSheets = [sheet];

  const title = withText(make("h2", "title"), "title");
  const subtitle = withText(make("p", "subtitle"), "subtitle");
  const subtitle2 = withText(make("p", "subtitle2"), "subtitle2");
  const name = makeInput("name", { type: "text", autocomplete: "name" });
  const email = makeInput("email", { type: "email", autocomplete: "email" });
  const comments = make("textarea", "comments");
  comments.rows = 5;
  comments.required = true;
  comments.maxLength = config.maxCommentsLength;
  const problem = make("div", "problem");
  problem.setAttribute("role", "alert");
  const closeButton = withText(make("button", "close"), "labelClose");
  closeButton.type = "button";
  closeButton.onclick = () => dialog.close();
  const submitButton = withText(make("button", "submit"), "labelSubmit");
  const buttons = make("div", "buttons");
  buttons.append(closeButton, submitButton);

  const form = make("form", "form");
  form.noValidate = true;
  form.append(title, subtitle, subtitle2);
  form.append(makeLabel(name, "labelName"), name);
  form.append(makeLabel(email, "labelEmail"), email);
  form.append(makeLabel(comments, "labelComments"), comments);
  form.append(problem, buttons);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!form.hasAttribute("aria-busy")) send();
  };

  const dialog = make("dialog", "dialog");
  dialog.dir = "auto";
  dialog.setAttribute("aria-labelledby", "title");
  dialog.setAttribute("aria-describedby", "subtitle subtitle2");
  const scheme = option("colorScheme");
  const isDark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  dialog.classList.toggle("dark", isDark);
  dialog.append(form);
  dialog.addEventListener("keydown", keepFocus);
  dialog.addEventListener("close", () => {
    host.remove();
    // The SDK waits for this message to call `onClose`.
    postMessage("__sentry_reportdialog_closed__", "/");
  });
  // What is typed here must not be a shortcut of the page, and a focus trap of the page must not take the focus back.
  for (const type of ["keydown", "keypress", "keyup", "focusin", "focusout"])
    root.addEventListener(type, (event) => event.stopPropagation());

  root.append(dialog);
  (document.body ?? document.documentElement).append(host);
  dialog.showModal();
  ([name, email].find(({ value }) => value === "") ?? comments).focus();

  function make<Tag extends keyof HTMLElementTagNameMap>(tagName: Tag, id: string): HTMLElementTagNameMap[Tag] {
    const element = document.createElement(tagName);
    element.id = id;
    return element;
  }

  function makeInput(id: "name" | "email", fixed: Pick<HTMLInputElement, "type" | "autocomplete">): HTMLInputElement {
    const input = make("input", id);
    input.maxLength = config.maxContactLength;
    return Object.assign(input, fixed, { value: option(id) ?? "" });
  }

  function makeLabel(field: Field, textName: keyof ReportDialogTexts): HTMLLabelElement {
    const label = withText(make("label", `${field.id}-label`), textName);
    label.htmlFor = field.id;
    if (field.required) label.classList.add("required");
    return label;
  }

  /** Null: not given. The SDK writes an option without a value as this word. */
  function option(optionName: string): string | null {
    const given = query.get(optionName);
    return given === "undefined" || given === "null" ? null : given;
  }

  /** An empty subtitle leaves it out. Everything else has to say something. */
  function withText<Element extends HTMLElement>(element: Element, textName: keyof ReportDialogTexts): Element {
    const given = option(textName);
    const isGiven = given !== null && (given.trim() !== "" || textName.startsWith("subtitle"));
    element.textContent = isGiven ? given : config.texts[textName];
    const lang = isGiven ? option("lang") : "en";
    if (lang !== null) element.lang = lang;
    return element;
  }

  function keepFocus(event: KeyboardEvent): void {
    if (event.key !== "Tab") return;
    const stops = [...dialog.querySelectorAll<HTMLElement>("input, textarea, button")];
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (root.activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  }

  async function send(): Promise<void> {
    const isWrong = new Map<Field, boolean>([
      [email, email.value.trim() !== "" && !/^\S+@\S+$/.test(email.value.trim())],
      [comments, comments.value.trim() === ""],
    ]);
    for (const [field, wrong] of isWrong) {
      field.setAttribute("aria-invalid", String(wrong));
      if (wrong) field.setAttribute("aria-describedby", "problem");
      else field.removeAttribute("aria-describedby");
    }
    const firstWrong = [...isWrong.keys()].find((field) => isWrong.get(field));
    if (firstWrong) {
      say("errorFormEntry", null);
      firstWrong.focus();
      return;
    }
    problem.replaceChildren();
    form.setAttribute("aria-busy", "true");
    const answer = await fetch(target, {
      method: "POST",
      body: new URLSearchParams({ name: name.value, email: email.value, comments: comments.value }),
      credentials: "omit",
      // It arrives although the user leaves the page.
      keepalive: true,
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    form.removeAttribute("aria-busy");
    if (answer?.ok) thank();
    else await explain(answer);
  }

  function thank(): void {
    const message = withText(make("p", "title"), "successMessage");
    closeButton.setAttribute("aria-describedby", "title");
    submitButton.remove();
    dialog.removeAttribute("aria-describedby");
    form.replaceChildren(message, buttons);
    closeButton.focus();
  }

  /** Says why nothing was sent. What was written stays. */
  async function explain(answer: Response | null): Promise<void> {
    if (answer === null) {
      say("errorGeneric", "The server cannot be reached. Check your connection and try again.");
      return;
    }
    const { status } = answer;
    const { detail } = await answer.json().catch(() => ({}));
    console.warn(`The report dialog got ${status}: ${detail}`);
    if (status === 400) say("errorFormEntry", typeof detail === "string" ? detail : null);
    else if (status === 429 || status === 503) {
      const wait = sayWait(Number(answer.headers.get("retry-after")));
      say("errorGeneric", `The server takes no reports right now. Try again ${wait}.`);
    } else if (status === 401 || status === 403) say("errorGeneric", "The server takes no reports of this page.");
    else if (status === 413) say("errorGeneric", "The report is too long.");
    else say("errorGeneric", null);
  }

  function say(textName: "errorGeneric" | "errorFormEntry", reason: string | null): void {
    const lines = [withText(make("p", "error"), textName)];
    if (reason !== null) {
      const line = make("p", "reason");
      line.lang = "en";
      line.textContent = reason;
      lines.push(line);
    }
    problem.replaceChildren(...lines);
    problem.scrollIntoView({ block: "nearest" });
  }

  function sayWait(seconds: number): string {
    if (!(seconds > 0)) return "later";
    if (seconds < 100) return `in ${seconds} seconds`;
    if (seconds < 100 * 60) return `in ${Math.ceil(seconds / 60)} minutes`;
    return `in ${Math.ceil(seconds / 3600)} hours`;
  }
}
