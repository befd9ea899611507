/** Prefix of an undo field that restores a deleted comment. The comment's text follows. */
export const COMMENT_UNDO = "comment/";
