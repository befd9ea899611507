// A small application that fails, reporting by the Go SDK. The DSN comes from the environment.
package main

import (
	"errors"
	"fmt"
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
	if !sentry.Flush(10 * time.Second) {
		fmt.Fprintln(os.Stderr, "flush timed out")
		os.Exit(1)
	}
}
