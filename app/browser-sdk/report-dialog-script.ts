import { MAX_CONTACT_LENGTH, MAX_MESSAGE_LENGTH } from "../domain/feedback/feedback.ts";
import { type ReportDialogConfig, reportDialog } from "./report-dialog.ts";
import { REPORT_DIALOG_STYLE } from "./report-dialog-style.ts";

const CONFIG: ReportDialogConfig = {
  style: REPORT_DIALOG_STYLE.replace(/\s+/g, " "),
  texts: {
    title: "Something went wrong",
    subtitle: "The error has been reported.",
    subtitle2: "Tell us what you did, so that we can fix it sooner.",
    labelName: "Name",
    labelEmail: "Email",
    labelComments: "What happened?",
    labelClose: "Close",
    labelSubmit: "Send report",
    errorGeneric: "The report could not be sent.",
    errorFormEntry: "Please check the marked fields.",
    successMessage: "Thank you. Your report has been sent.",
  },
  maxContactLength: MAX_CONTACT_LENGTH,
  maxCommentsLength: MAX_MESSAGE_LENGTH,
};

/** The script that shows the report dialog. It is the same for everybody: nothing of a request stands in it. */
export function reportDialogScript(): string {
  // What takes the types away leaves blanks in their place.
  const source = reportDialog.toString().replace(/[ \t]{2,}/g, " ");
  return `(${source})(${JSON.stringify(CONFIG)});\n`;
}
