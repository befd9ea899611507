//! A small application that fails, reporting by the Rust SDK. The DSN comes from the environment.

fn total(code: Option<&str>) -> usize {
    code.expect("a cart without a discount code").len()
}

fn main() {
    let guard = sentry::init((
        std::env::var("SENTRY_DSN").expect("SENTRY_DSN"),
        sentry::ClientOptions::new()
            .release("rust-app@1.0.0")
            .environment("sdk-test")
            .auto_session_tracking(true),
    ));
    sentry::configure_scope(|scope| scope.set_tag("plan", "pro"));
    sentry::capture_message("rust says hello", sentry::Level::Warning);
    sentry::with_scope(
        |scope| {
            scope.add_attachment(sentry::protocol::Attachment {
                buffer: vec![0, 255, 10, 123],
                filename: "cart.bin".into(),
                ..Default::default()
            });
            scope.set_extra("largest", u64::MAX.into());
        },
        || sentry::capture_message("what a scope may carry", sentry::Level::Info),
    );
    let _ = std::panic::catch_unwind(|| total(None));
    guard.flush(Some(std::time::Duration::from_secs(10)));
}
