import type { NamePart } from "./function-scopes.ts";

/** The meaning of an open bracket in code. */
export const FRAME = {
  /** `(` of any kind, or `[`. */
  bracket: 0,
  block: 1,
  object: 2,
  class: 3,
  functionBody: 4,
  template: 5,
  /** The body of `() => body`, which has no bracket of its own. */
  arrowBody: 6,
  /** The part between `class` and its `{`. */
  classHead: 7,
} as const;

/** The expected next token: decides what `{` and `/` mean. */
export const NEXT = { statement: 0, expression: 1, afterValue: 2 } as const;

/** `afterKey`: a name was read, and `(`, `:`, `=` or `,` tells what kind of member it names. */
export const MEMBER = { key: 0, afterKey: 1, value: 2 } as const;

export interface BracketFrame {
  type: number;
  /** Character code of the closing bracket; 0: none. */
  close: number;
  /** `?` that wait for their `:`. */
  ternaries: number;
  /** The token that is expected after the closing bracket. */
  after: number;
  /** For the parameters of a function: the token that is expected after its body. */
  afterBody: number;
  /** Function whose parameters or body this is; -1: none. */
  functionIndex: number;
  /** The name of an object or class. For a parenthesis: the name of the arrow function whose parameters it opens. */
  names: NamePart[];
  wrapper: NamePart | null;
  /** Last name of the called function, if the parenthesis opens the arguments of a call. */
  callee: NamePart | null;
  /** Offset, of an arrow function's `async` too. */
  start: number;
  /** For an object or class: the state of the member that is being read. */
  member: number;
  /** Null: computed, or none yet. */
  key: NamePart | null;
  /** Offset of the member, modifiers included; -1: none yet. */
  keyStart: number;
  modifier: string;
}

export function createFrame(type: number, close: number, after: number, start: number): BracketFrame {
  return {
    type,
    close,
    ternaries: 0,
    after,
    afterBody: NEXT.afterValue,
    functionIndex: -1,
    names: [],
    wrapper: null,
    callee: null,
    start,
    member: MEMBER.key,
    key: null,
    keyStart: -1,
    modifier: "",
  };
}
