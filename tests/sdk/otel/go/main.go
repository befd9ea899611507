// A service with OpenTelemetry alone, in the trace that TRACEPARENT names. Where it sends to is in the SDK's own variables.
package main

import (
	"context"
	"errors"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func findRoute() error {
	return errors.New("no carrier goes to the island")
}

func main() {
	exporter, err := otlptracehttp.New(context.Background())
	if err != nil {
		panic(err)
	}
	spans := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	carrier := propagation.MapCarrier{"traceparent": os.Getenv("TRACEPARENT")}
	parent := propagation.TraceContext{}.Extract(context.Background(), carrier)
	_, span := spans.Tracer("ship").Start(parent, "POST /shipments", trace.WithSpanKind(trace.SpanKindServer))
	span.SetAttributes(attribute.Int64("boxes", 3))
	err = findRoute()
	span.RecordError(err, trace.WithStackTrace(true))
	span.SetStatus(codes.Error, err.Error())
	span.End()
	if err := spans.Shutdown(context.Background()); err != nil {
		panic(err)
	}
}
