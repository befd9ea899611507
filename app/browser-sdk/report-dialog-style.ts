/**
 * The style of the report dialog, inside its shadow root. `!important` rules of a shadow root win over those of the page. Sizes are
 * those of the user, because `em` begins at `medium`, whatever the page sets.
 */
export const REPORT_DIALOG_STYLE = `
:host { all: initial !important; position: absolute !important; }
dialog {
  --back: #fff; --text: #1a1d23; --soft: #555b66; --line: #868d99; --accent: #3846bd; --on-accent: #fff; --bad: #b3261e;
  color-scheme: light; box-sizing: border-box; width: min(30em, calc(100vw - 2em)); max-width: none;
  max-height: calc(100vh - 2em); max-height: calc(100dvh - 2em); margin: auto; padding: 1.5em; overflow: auto;
  overscroll-behavior: contain; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: .75em;
  background: var(--back); color: var(--text); font: medium/1.45 system-ui, sans-serif; text-align: start;
}
dialog.dark {
  --back: #1d2027; --text: #eceef2; --soft: #b0b6c2; --line: #767d8a; --accent: #a9b4ff; --on-accent: #12141a; --bad: #ffb4ab;
  color-scheme: dark;
}
dialog::backdrop { background: rgb(0 0 0 / .55); }
form, h2, p { margin: 0; }
h2 { margin-bottom: .35em; font-size: 1.3em; line-height: 1.25; font-weight: 650; }
#subtitle, #subtitle2 { color: var(--soft); }
label { display: block; margin: 1em 0 .3em; font-weight: 600; }
label.required::after { content: " *" / ""; color: var(--bad); }
input, textarea {
  box-sizing: border-box; width: 100%; min-height: 2.75em; margin: 0; padding: .55em .7em; border: 1px solid var(--line);
  border-radius: .45em; background: var(--back); color: inherit; font: inherit;
}
textarea { display: block; min-height: 6em; resize: vertical; }
[aria-invalid="true"] { border-color: var(--bad); outline: 1px solid var(--bad); }
#problem:not(:empty) {
  margin-top: 1em; padding: .6em .8em; border: 1px solid var(--bad); border-radius: .45em; color: var(--bad);
}
#buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .75em; margin-top: 1.25em; }
button {
  min-height: 2.75em; margin: 0; padding: .5em 1.1em; border: 1px solid var(--line); border-radius: .45em; background: none;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer;
}
#submit { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
[aria-busy] #submit { opacity: .6; cursor: progress; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30em) { dialog { padding: 1.1em; } button { flex: 1 1 8em; } }
@media (prefers-reduced-motion: no-preference) {
  dialog { animation: come .15s ease-out; }
  @keyframes come { from { opacity: 0; transform: translateY(.5em); } }
}
`;
