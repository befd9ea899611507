import io.sentry.Attachment;
import io.sentry.CheckIn;
import io.sentry.CheckInStatus;
import io.sentry.Sentry;
import io.sentry.protocol.Feedback;
import io.sentry.protocol.SentryId;
import io.sentry.protocol.User;

/** A small application that fails, reporting by the Java SDK. The DSN comes from the environment. */
public class Main {
  static int total(String code) {
    try {
      return Integer.parseInt(code);
    } catch (NumberFormatException error) {
      throw new IllegalStateException("cannot compute the total of cart 4711", error);
    }
  }

  public static void main(String[] arguments) {
    Sentry.init(options -> {
      options.setDsn(System.getenv("SENTRY_DSN"));
      options.setRelease("java-app@1.0.0");
      options.setEnvironment("sdk-test");
      options.setTracesSampleRate(1.0);
      options.addInAppInclude("Main");
      options.getLogs().setEnabled(true);
    });
    User user = new User();
    user.setId("4711");
    Sentry.configureScope(scope -> {
      scope.setUser(user);
      scope.setTag("plan", "pro");
    });
    Sentry.addBreadcrumb("checkout pressed");
    try {
      total("not a number");
    } catch (IllegalStateException error) {
      Sentry.captureException(error);
    }
    Sentry.configureScope(scope -> scope.addAttachment(new Attachment(new byte[] {0, -1, 10, 123}, "cart.bin")));
    SentryId id = Sentry.captureMessage("what a scope may carry");
    Feedback feedback = new Feedback("it broke");
    feedback.setAssociatedEventId(id);
    Sentry.feedback().capture(feedback);
    Sentry.captureCheckIn(new CheckIn("nightly", CheckInStatus.OK));
    Sentry.logger().info("cart %d is checked out", Long.MAX_VALUE);
    Sentry.startTransaction("checkout", "task").finish();
    Sentry.flush(10_000);
    Sentry.close();
  }
}
