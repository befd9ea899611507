// An application with OpenTelemetry alone. Where it sends to, and as which service, is in the SDK's own variables. It prints the
// `traceparent` that it would send to the next service.
import { context, SeverityNumber, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const resource = detectResources({ detectors: [envDetector] });
const spans = new TracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
const records = new LoggerProvider({
  resource,
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
});
const tracer = spans.getTracer("shop", "1.2.0");
const logger = records.getLogger("shop");

function takePayment() {
  throw new RangeError("the card has no limit left");
}

const server = tracer.startSpan("POST /pay", { kind: SpanKind.SERVER, attributes: { "http.request.method": "POST" } });
const inServer = trace.setSpan(context.active(), server);
const client = tracer.startSpan("GET stock", { kind: SpanKind.CLIENT }, inServer);
client.end();
try {
  takePayment();
} catch (error) {
  // Both, as SDKs do while span events are on their way out.
  server.recordException(error);
  server.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  logger.emit({
    severityNumber: SeverityNumber.ERROR,
    body: "payment failed",
    attributes: {
      "exception.type": error.name,
      "exception.message": error.message,
      "exception.stacktrace": error.stack,
    },
    context: inServer,
  });
}
server.end();
await Promise.all([spans.shutdown(), records.shutdown()]);
const { traceId, spanId } = client.spanContext();
process.stdout.write(`00-${traceId}-${spanId}-01\n`);
