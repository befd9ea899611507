// A small application that fails, reporting by the Go SDK. The DSN comes from the environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

var errNoDiscount = errors.New("no such discount")

func total(code string) error {
	return fmt.Errorf("cannot compute the total of cart 4711: %w", errNoDiscount)
}

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("SENTRY_DSN"),
		Release:          "go-app@1.0.0",
		Environment:      "sdk-test",
		EnableTracing:    true,
		TracesSampleRate: 1.0,
		AttachStacktrace: true,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "4711"})
		scope.SetTag("plan", "pro")
	})
	sentry.CaptureException(total("SPRING"))
	sentry.CaptureMessage("go says hello")
	func() {
		defer func() {
			if failure := recover(); failure != nil {
				sentry.CurrentHub().Recover(failure)
			}
		}()
		var carts []int
		fmt.Println(carts[len(os.Args)+3])
	}()
	sentry.WithScope(func(scope *sentry.Scope) {
		scope.AddAttachment(&sentry.Attachment{Filename: "cart.bin", Payload: []byte{0, 255, 10, 123}})
		scope.SetContext("odd", sentry.Context{"largest": uint64(math.MaxUint64)})
		sentry.CaptureMessage("what a scope may carry")
	})
	sentry.CaptureCheckIn(&sentry.CheckIn{MonitorSlug: "nightly", Status: sentry.CheckInStatusOK}, &sentry.MonitorConfig{
		Schedule: sentry.CrontabSchedule("0 3 * * *"),
	})
	ctx := context.Background()
	sentry.NewLogger(ctx).Info().Int64("cart", math.MaxInt64).Emit("checked out")
	sentry.NewMeter(ctx).Count("checkouts", 1)
	sentry.StartTransaction(ctx, "checkout").Finish()
	if !sentry.Flush(10 * time.Second) {
		fmt.Fprintln(os.Stderr, "flush timed out")
		os.Exit(1)
	}
}
