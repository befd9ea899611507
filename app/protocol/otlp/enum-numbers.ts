/** OTLP/JSON has numbers for these. General libraries for protobuf write the names instead, and so do people. */
const SPAN_KINDS = [
  "SPAN_KIND_UNSPECIFIED",
  "SPAN_KIND_INTERNAL",
  "SPAN_KIND_SERVER",
  "SPAN_KIND_CLIENT",
  "SPAN_KIND_PRODUCER",
  "SPAN_KIND_CONSUMER",
];
const STATUS_CODES = ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"];
const SEVERITIES = [
  "SEVERITY_NUMBER_UNSPECIFIED",
  ...["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"].flatMap((name) =>
    ["", "2", "3", "4"].map((step) => `SEVERITY_NUMBER_${name}${step}`),
  ),
];

/** The number of a span kind. 0, which means none, for an unknown value. */
export function readSpanKind(value: unknown): number {
  return readNumber(value, SPAN_KINDS);
}

export function readStatusCode(value: unknown): number {
  return readNumber(value, STATUS_CODES);
}

/** 1 to 24, or 0. */
export function readSeverityNumber(value: unknown): number {
  return readNumber(value, SEVERITIES);
}

function readNumber(value: unknown, names: readonly string[]): number {
  const number = typeof value === "string" ? names.indexOf(value) : value;
  return typeof number === "number" && names[number] !== undefined ? number : 0;
}
