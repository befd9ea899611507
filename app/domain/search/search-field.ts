import type { Condition } from "./condition.ts";

/** How a value of a key is read. */
export type FieldType =
  /** Exactly the value; with `*` in whatever case. */
  | "text"
  /** The value is a part of it, in whatever case. */
  | "words"
  | "number"
  /** Milliseconds since 1970: `-24h`, `>2026-05-20`. */
  | "time"
  /** An age, counted back from now: `<24h` is younger. */
  | "age"
  /** Milliseconds. */
  | "duration"
  /** Bytes. */
  | "size"
  /** 0.05 is 5%. */
  | "percentage"
  | "boolean"
  /** 32 hexadecimal digits. */
  | "id"
  /** 16 hexadecimal digits. */
  | "spanId"
  /** Versions have an order, and `latest`. */
  | "version";

/** Which row has the field: the issue, or each of its events. */
export type FieldRow = "issue" | "event";

export interface FieldChoice {
  value: string;
  /** In lower case. */
  aliases?: readonly string[];
  description: string;
  condition: Condition;
}

export interface SearchField {
  /** The key as pages suggest it. */
  key: string;
  /** In lower case. The key itself also counts in any case. */
  aliases?: readonly string[];
  type: FieldType;
  description: string;
  row: FieldRow;
  /** The names that evaluators use. If there are several, any of them may match. */
  fields: readonly string[];
  /** Whether it is a tag that the server gives to events. */
  isTag?: boolean;
  /** Then no other value is known. */
  choices?: readonly FieldChoice[];
  /** The field holds several kinds of value, each with its kind before it: `email:sam@shop.example`. */
  prefixes?: readonly string[];
  /** Another field, which may hold the value of one of the prefixes without it. */
  nameField?: string;
}

/** The keys of one list of rows. */
export interface Vocabulary {
  fields: readonly SearchField[];
  /** The field that text without a key is searched in. It matches a part of the value, in any case. */
  text: { row: FieldRow; field: string };
  /** Whether other keys are tags of events. */
  hasTags: boolean;
  /** Whether tags may be numbers, and are compared as numbers. */
  hasNumericTags?: boolean;
  /** Whether frequent values of its fields of numbers are known, as those of texts are. */
  hasNumbers?: boolean;
  /** The highest number of texts in one search. Absent: `MAX_SEARCHED_TEXTS`. */
  maxTexts?: number;
  /** Keys (in lower case) that people know from other tools and that cannot be used, with why. */
  refused: Readonly<Record<string, string>>;
}

export function findField({ fields }: Vocabulary, key: string): SearchField | undefined {
  const name = key.toLowerCase();
  return fields.find((field) => field.key.toLowerCase() === name || field.aliases?.includes(name));
}

/** Whether a search can compare the values of a key as numbers. It can for any attribute, and not for fields of texts or versions. */
export function isComparable(vocabulary: Parameters<typeof findField>[0], key: string): boolean {
  const type = findField(vocabulary, key)?.type;
  return type === undefined || type === "number" || type === "duration";
}
