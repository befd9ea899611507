/** Before the text of a deleted comment, in the field that puts it back. */
export const COMMENT_UNDO = "comment/";
