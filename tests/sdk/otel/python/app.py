"""A service with OpenTelemetry alone, in the trace that TRACEPARENT names. Where it sends to is in the SDK's own variables."""

import logging
import os

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

spans = TracerProvider()
spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
records = LoggerProvider()
records.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
metrics = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())])
logger = logging.getLogger("stock")
logger.addHandler(LoggingHandler(logger_provider=records))

metrics.get_meter("stock").create_counter("stock.lookups").add(1, {"warehouse": "north"})


def count_boxes(shelf):
    return shelf["boxes"]


parent = TraceContextTextMapPropagator().extract({"traceparent": os.environ["TRACEPARENT"]})
tracer = spans.get_tracer("stock", "3.0.0")
try:
    # The span records the exception that leaves it, and the handler logs it.
    with tracer.start_as_current_span("GET /stock", context=parent, kind=SpanKind.SERVER):
        try:
            count_boxes({})
        except KeyError:
            logger.exception("the shelf is empty")
            raise
except KeyError:
    pass

for provider in (spans, records, metrics):
    provider.shutdown()
