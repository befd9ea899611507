import { type BracketFrame, createFrame, FRAME, MEMBER, NEXT } from "./bracket-frame.ts";
import { FoundFunctions } from "./found-functions.ts";
import type { FunctionScopes, NamePart } from "./function-scopes.ts";
import { calleeBefore, type InferredName, inferFunctionName, namesOfMember } from "./infer-function-name.ts";
import { JavascriptLexer, LexerError, TOKEN } from "./javascript-lexer.ts";
import { RecentTokens } from "./recent-tokens.ts";

/** How deeply brackets may nest. Generated parsers reach some hundreds. */
const MAX_DEPTH = 5_000;
const MAX_FUNCTIONS = 2_000_000;
const CONTROL = new Set(["if", "while", "for", "with", "switch", "catch"]);
const BEFORE_STATEMENT = new Set(["else", "do", "try", "catch", "finally", "export", "import"]);
/** Words that are names elsewhere. */
const BEFORE_EXPRESSION = new Set(["await", "yield", "of", "let"]);
const VALUE_KEYWORDS = new Set(["debugger", "break", "continue"]);
const MODIFIERS = new Set(["static", "async", "get", "set", "accessor"]);

/**
 * Finds the functions of a JavaScript file, and the source of their names: the function itself, a variable, a property, a method of a
 * class. It scans tokens with a stack of brackets, and is no parser: bundles of some megabytes take a tenth of a second. Null when it loses
 * track (in code that is not consistent).
 */
export function scanFunctionScopes(text: string): FunctionScopes | null {
  const scanner = new ScopeScanner(text);
  try {
    return scanner.run() ? scanner.functions.toScopes() : null;
  } catch (error) {
    if (error instanceof LexerError) return null;
    throw error;
  }
}

class ScopeScanner {
  readonly functions: FoundFunctions;
  readonly #text: string;
  readonly #lexer: JavascriptLexer;
  readonly #frames: BracketFrame[] = [];
  #next: number = NEXT.statement;
  readonly #tokens: RecentTokens;

  /** Function whose parameters or `=>` were the last token: `{` opens its body. */
  #pendingBody = -1;
  #afterPendingBody: number = NEXT.afterValue;
  /** The purpose of the `function` that was read: its name may follow. */
  #pendingFunction = -1;
  #afterPendingFunction: number = NEXT.afterValue;
  /** The parenthesis that was closed last: the parameters of an arrow function, if `=>` follows. */
  #closed: BracketFrame | null = null;

  constructor(text: string) {
    this.functions = new FoundFunctions(text);
    this.#text = text;
    this.#lexer = new JavascriptLexer(text);
    this.#tokens = new RecentTokens(text);
    this.#push(FRAME.block, 0, NEXT.statement);
  }

  run(): boolean {
    const lexer = this.#lexer;
    for (;;) {
      lexer.next(this.#next === NEXT.afterValue);
      if (lexer.kind === TOKEN.end) {
        this.#endArrowBodies(this.#tokens.end(1));
        return this.#frames.length === 1;
      }
      if (lexer.hasNewlineBefore && this.#next === NEXT.afterValue) this.#endStatementAtNewline();
      const pendingBody = this.#pendingBody;
      const closed = this.#closed;
      if (!this.#take()) return false;
      // Both only count for the very next token.
      if (this.#pendingBody === pendingBody) this.#pendingBody = -1;
      if (this.#closed === closed) this.#closed = null;
      this.#tokens.remember(lexer);
    }
  }

  #top(): BracketFrame {
    return this.#frames[this.#frames.length - 1] as BracketFrame;
  }

  #push(type: number, close: number, after: number): BracketFrame {
    const frame = createFrame(type, close, after, this.#lexer.start);
    this.#frames.push(frame);
    return frame;
  }

  /** False: the code does not fit together. */
  #take(): boolean {
    const { kind } = this.#lexer;
    if (this.#frames.length > MAX_DEPTH || this.functions.count > MAX_FUNCTIONS) return false;
    const top = this.#top();
    if ((top.type === FRAME.object || top.type === FRAME.class) && top.member !== MEMBER.value && this.#takeMember(top))
      return true;
    switch (kind) {
      case TOKEN.identifier:
        return this.#takeIdentifier();
      case TOKEN.keyword:
        return this.#takeKeyword();
      case TOKEN.string:
      case TOKEN.literal:
        this.#next = NEXT.afterValue;
        return true;
      case TOKEN.template:
        this.#takeTemplate();
        return true;
      case TOKEN.arrow:
        this.#takeArrow();
        return true;
      case TOKEN.step:
        // After a value it belongs to the value.
        if (this.#next !== NEXT.afterValue) this.#next = NEXT.expression;
        return true;
      case TOKEN.punctuator:
        return this.#takePunctuator();
      default:
        this.#next = NEXT.expression;
        return true;
    }
  }

  #takeTemplate(): void {
    if (this.#lexer.code === 0x7b) {
      this.#push(FRAME.template, 0x7d, NEXT.afterValue);
      this.#next = NEXT.expression;
    } else this.#next = NEXT.afterValue;
  }

  #takeIdentifier(): boolean {
    if (this.#pendingFunction >= 0) {
      // `function name`; also a name that is a word of its own elsewhere.
      this.functions.setOwnName(this.#pendingFunction, this.#part(true));
    } else if (
      this.#top().type === FRAME.classHead &&
      this.#tokens.kind(1) === TOKEN.keyword &&
      this.#tokens.text(1) === "class"
    ) {
      this.#top().names = [this.#part(true)];
    }
    const length = this.#lexer.end - this.#lexer.start;
    const isWord =
      length >= 2 && length <= 5 && BEFORE_EXPRESSION.has(this.#lexer.text) && !this.#tokens.isPunctuator(1, ".");
    this.#next = isWord ? NEXT.expression : NEXT.afterValue;
    return true;
  }

  #part(isBinding: boolean): NamePart {
    const { start, end } = this.#lexer;
    return { start, end, isBinding };
  }

  #takeKeyword(): boolean {
    const { start } = this.#lexer;
    // `promise.catch(`, `a.default`
    if (this.#tokens.isPunctuator(1, ".")) {
      this.#next = NEXT.afterValue;
      return true;
    }
    const text = this.#lexer.text;
    if (text === "function") {
      const isAsync = this.#tokens.isWord(1, "async");
      const skipped = isAsync ? 1 : 0;
      const { names, wrapper } = inferFunctionName(this.#tokens, this.#top(), skipped);
      this.#afterPendingFunction = this.#isAtStatement(skipped) ? NEXT.statement : NEXT.afterValue;
      this.#pendingFunction = this.functions.add(isAsync ? this.#tokens.start(1) : start, "function", names, wrapper);
      this.#next = NEXT.afterValue;
    } else if (text === "class") {
      const isStatement = this.#isAtStatement(0);
      const { names } = inferFunctionName(this.#tokens, this.#top(), 0);
      const frame = this.#push(FRAME.classHead, 0, isStatement ? NEXT.statement : NEXT.afterValue);
      frame.names = names;
      this.#next = NEXT.afterValue;
    } else if (VALUE_KEYWORDS.has(text)) this.#next = NEXT.statement;
    else if (BEFORE_STATEMENT.has(text)) this.#next = NEXT.statement;
    else this.#next = NEXT.expression;
    return true;
  }

  /** Whether a statement begins with the token that comes `skipped` tokens before this one. */
  #isAtStatement(skipped: number): boolean {
    const back = skipped + 1;
    if (skipped === 0) {
      if (this.#next === NEXT.statement) return true;
    } else if (
      this.#tokens.kind(back) === TOKEN.end ||
      this.#tokens.isPunctuator(back, ";") ||
      this.#tokens.isPunctuator(back, "}") ||
      (this.#tokens.isPunctuator(back, "{") && this.#isBlock())
    ) {
      return true;
    }
    return this.#tokens.kind(back) === TOKEN.keyword && /^(?:export|default)$/.test(this.#tokens.text(back));
  }

  #isBlock(): boolean {
    const { type } = this.#top();
    return type === FRAME.block || type === FRAME.functionBody;
  }

  #takeArrow(): void {
    const closed = this.#tokens.isPunctuator(1, ")") ? this.#closed : null;
    const isSingle = this.#tokens.kind(1) === TOKEN.identifier;
    let start = this.#lexer.start;
    let names: NamePart[] = [];
    let wrapper: NamePart | null = null;
    if (closed !== null) ({ start, names, wrapper } = closed);
    else if (isSingle) {
      const isAsync = this.#tokens.isWord(2, "async");
      start = this.#tokens.start(isAsync ? 2 : 1);
      ({ names, wrapper } = inferFunctionName(this.#tokens, this.#top(), isAsync ? 2 : 1));
    }
    const index = this.functions.add(start, "function", names, wrapper);
    const frame = this.#push(FRAME.arrowBody, 0, NEXT.afterValue);
    frame.functionIndex = index;
    this.#pendingBody = index;
    this.#afterPendingBody = NEXT.afterValue;
    this.#next = NEXT.expression;
  }

  #takePunctuator(): boolean {
    const { code } = this.#lexer;
    switch (String.fromCharCode(code)) {
      case "(":
        this.#openParenthesis();
        return true;
      case "[":
        this.#push(FRAME.bracket, 0x5d, NEXT.afterValue);
        this.#next = NEXT.expression;
        return true;
      case "{":
        this.#openBrace();
        return true;
      case ")":
      case "]":
      case "}":
        return this.#close(code);
      case ";":
        this.#endArrowBodies(this.#tokens.end(1));
        if (this.#top().type === FRAME.class) this.#startMember(this.#top());
        this.#next = NEXT.statement;
        return true;
      case ",":
        this.#endArrowBodies(this.#tokens.end(1));
        if (this.#top().type === FRAME.object) this.#startMember(this.#top());
        this.#next = NEXT.expression;
        return true;
      case "?":
        this.#top().ternaries++;
        this.#next = NEXT.expression;
        return true;
      case ":":
        this.#takeColon();
        return true;
      default:
        // After `.` comes a name.
        this.#next = NEXT.afterValue;
        return true;
    }
  }

  #takeColon(): void {
    while (this.#top().type === FRAME.arrowBody && this.#top().ternaries === 0) this.#endArrowBody(this.#tokens.end(1));
    const top = this.#top();
    if (top.ternaries > 0) {
      top.ternaries--;
      this.#next = NEXT.expression;
    } else this.#next = NEXT.statement;
  }

  #openParenthesis(): void {
    const isFunction = this.#pendingFunction >= 0;
    let isControl = false;
    // Whether the parenthesis holds the parameters of an arrow function, only `=>` tells: who reads on knows no more
    // what stood before it.
    let context: InferredName | null = null;
    let { start } = this.#lexer;
    if (!isFunction) {
      if (this.#tokens.kind(1) === TOKEN.keyword && !this.#tokens.isPunctuator(2, "."))
        isControl = CONTROL.has(this.#tokens.text(1));
      const isAwaited = this.#tokens.kind(1) === TOKEN.identifier && this.#tokens.kind(2) === TOKEN.keyword;
      // `for await (`
      if (isAwaited && this.#tokens.text(1) === "await" && this.#tokens.text(2) === "for") isControl = true;
      const isAsync = this.#tokens.isWord(1, "async");
      if (isAsync && !this.#tokens.isPunctuator(2, ".")) {
        context = inferFunctionName(this.#tokens, this.#top(), 1);
        start = this.#tokens.start(1);
      } else if (this.#next !== NEXT.afterValue) context = inferFunctionName(this.#tokens, this.#top(), 0);
    }
    const isCall = !isFunction && !isControl && this.#next === NEXT.afterValue;
    if (isCall) this.#forgetNameOfResult();
    const callee = isCall ? calleeBefore(this.#tokens) : null;
    const frame = this.#push(FRAME.bracket, 0x29, isControl ? NEXT.statement : NEXT.afterValue);
    frame.start = start;
    frame.callee = callee;
    if (isFunction) {
      frame.functionIndex = this.#pendingFunction;
      frame.afterBody = this.#afterPendingFunction;
    }
    if (context !== null) ({ names: frame.names, wrapper: frame.wrapper } = context);
    this.#pendingFunction = -1;
    this.#next = NEXT.expression;
  }

  /** `x = function(){…}(`: minifiers move a function to its call, and the name belongs to the result. */
  #forgetNameOfResult(): void {
    const tokens = this.#tokens;
    const isMethod = (tokens.isWord(1, "call") || tokens.isWord(1, "apply")) && tokens.isPunctuator(2, ".");
    this.functions.forgetNameOfResult(tokens.end(isMethod ? 3 : 1));
  }

  #openBrace(): void {
    const top = this.#top();
    if (this.#pendingBody >= 0) {
      // The body of an arrow function is a block after all.
      if (top.type === FRAME.arrowBody && top.functionIndex === this.#pendingBody) this.#frames.pop();
      const frame = this.#push(FRAME.functionBody, 0x7d, this.#afterPendingBody);
      frame.functionIndex = this.#pendingBody;
      this.#next = NEXT.statement;
      return;
    }
    if (top.type === FRAME.classHead && this.#next === NEXT.afterValue) {
      this.#frames.pop();
      const frame = this.#push(FRAME.class, 0x7d, top.after);
      frame.names = top.names;
      this.#next = NEXT.expression;
      return;
    }
    if (this.#next === NEXT.expression) {
      const { names } = inferFunctionName(this.#tokens, this.#top(), 0);
      const frame = this.#push(FRAME.object, 0x7d, NEXT.afterValue);
      frame.names = names;
      return;
    }
    this.#push(FRAME.block, 0x7d, NEXT.statement);
    this.#next = NEXT.statement;
  }

  #close(code: number): boolean {
    this.#endArrowBodies(this.#tokens.end(1));
    const frame = this.#frames.pop();
    // The lowest frame is the file's.
    if (frame === undefined || this.#frames.length === 0 || frame.close !== code) return false;
    if (frame.type === FRAME.template) {
      this.#lexer.continueTemplate();
      this.#takeTemplate();
      return true;
    }
    this.#next = frame.after;
    if (frame.type === FRAME.functionBody) {
      this.functions.end(frame.functionIndex, this.#lexer.end);
      const top = this.#top();
      if (top.type === FRAME.class && top.member !== MEMBER.value) this.#startMember(top);
    } else if (code === 0x29) {
      if (frame.functionIndex >= 0) {
        this.#pendingBody = frame.functionIndex;
        this.#afterPendingBody = frame.afterBody;
      } else this.#closed = frame;
    } else if (code === 0x5d) {
      const top = this.#top();
      const isKey = (top.type === FRAME.object || top.type === FRAME.class) && top.member === MEMBER.key;
      // `[Symbol.iterator]() {`: a name that only runs know.
      if (isKey) this.#setKey(top, null, frame.start);
    } else if (frame.type === FRAME.block && this.#top().type === FRAME.class) this.#startMember(this.#top());
    return true;
  }

  /** A statement ends at a line end if the next token cannot continue it. */
  #endStatementAtNewline(): void {
    const { kind } = this.#lexer;
    const isWord = kind === TOKEN.identifier || kind === TOKEN.string || kind === TOKEN.literal;
    const isStatement = kind === TOKEN.keyword && !/^(?:in|instanceof|extends)$/.test(this.#lexer.text);
    if (!isWord && !isStatement) return;
    if (this.#tokens.isPunctuator(1, ".")) return;
    if (this.#pendingFunction >= 0 || this.#top().type === FRAME.classHead) return;
    this.#endArrowBodies(this.#tokens.end(1));
    const top = this.#top();
    if (top.type === FRAME.class) {
      const isModifier = top.member === MEMBER.afterKey && top.key !== null && MODIFIERS.has(this.#textOf(top.key));
      if (top.member !== MEMBER.key && !isModifier) this.#startMember(top);
      return;
    }
    if (top.type === FRAME.block || top.type === FRAME.functionBody) this.#next = NEXT.statement;
  }

  #endArrowBodies(end: number): void {
    while (this.#top().type === FRAME.arrowBody) this.#endArrowBody(end);
  }

  #endArrowBody(end: number): void {
    const frame = this.#frames.pop();
    if (frame !== undefined) this.functions.end(frame.functionIndex, end);
  }

  #startMember(frame: BracketFrame): void {
    frame.member = MEMBER.key;
    frame.key = null;
    frame.keyStart = -1;
    frame.modifier = "";
    this.#next = NEXT.expression;
  }

  #setKey(frame: BracketFrame, key: NamePart | null, start: number): void {
    if (frame.keyStart < 0) frame.keyStart = start;
    frame.key = key;
    frame.member = MEMBER.afterKey;
    this.#next = NEXT.afterValue;
  }

  /** Handles a token at the place of a key of an object or class. True: it was handled. */
  #takeMember(frame: BracketFrame): boolean {
    const { kind, start, code } = this.#lexer;
    const isName =
      kind === TOKEN.identifier || kind === TOKEN.keyword || kind === TOKEN.string || kind === TOKEN.literal;
    if (isName) {
      // The name before was a modifier.
      if (frame.member === MEMBER.afterKey && frame.key !== null) frame.modifier = this.#textOf(frame.key);
      this.#setKey(frame, this.#part(false), start);
      return true;
    }
    if (kind === TOKEN.punctuator && frame.member === MEMBER.afterKey) {
      if (code === 0x28) {
        this.#openMethod(frame);
        return true;
      }
      // `static {`
      if (code === 0x7b && frame.type === FRAME.class) {
        this.#push(FRAME.block, 0x7d, NEXT.expression);
        this.#next = NEXT.statement;
        return true;
      }
      if (code === 0x3a && frame.type === FRAME.object) {
        frame.member = MEMBER.value;
        this.#next = NEXT.expression;
        return true;
      }
      if (code === 0x5b) {
        // `get [x]() {`
        if (frame.key !== null) frame.modifier = this.#textOf(frame.key);
        frame.member = MEMBER.key;
      }
    }
    if (kind === TOKEN.assign) {
      frame.member = MEMBER.value;
      this.#next = NEXT.expression;
      return true;
    }
    if (kind === TOKEN.operator) {
      // `*generator() {`, `async *generator() {`, `...rest`, a decorator.
      const isSpread = this.#lexer.text === "...";
      if (frame.keyStart < 0) frame.keyStart = start;
      if (isSpread) frame.member = MEMBER.value;
      else if (frame.member === MEMBER.afterKey && frame.key !== null) {
        frame.modifier = this.#textOf(frame.key);
        frame.member = MEMBER.key;
      }
      this.#next = NEXT.expression;
      return true;
    }
    return false;
  }

  #textOf({ start, end }: NamePart): string {
    return this.#text.slice(start, end);
  }

  #openMethod(frame: BracketFrame): void {
    const keyText = frame.key === null ? "" : this.#textOf(frame.key);
    const isConstructor = frame.type === FRAME.class && keyText === "constructor" && frame.modifier !== "static";
    const names = isConstructor ? frame.names : namesOfMember(frame);
    const index = this.functions.add(frame.keyStart, isConstructor ? "constructor" : "method", names, null);
    const parameters = this.#push(FRAME.bracket, 0x29, NEXT.afterValue);
    parameters.functionIndex = index;
    // After its body comes the next member.
    frame.member = frame.type === FRAME.class ? MEMBER.key : MEMBER.value;
    frame.key = null;
    frame.keyStart = -1;
    frame.modifier = "";
    this.#next = NEXT.expression;
  }
}
