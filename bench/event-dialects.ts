// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of other languages, of which templates are a part.
/** How events of one platform look. `{noun}`, `{Noun}`, `{verb}`, `{Verb}` and `{NOUN}` stand for words of the group. */
export interface Dialect {
  platform: string;
  sdk: { name: string; version: string };
  /** Whether the sender is a browser: then the client's contexts and no server name. */
  isBrowser: boolean;
  errors: ReadonlyArray<readonly [type: string, message: string]>;
  functionName: string;
  filename: string;
  /** Put before the filename. */
  root: string;
  module: string | null;
  /** Lines of source: the frame's own and those around it. */
  source: readonly string[];
  /** How many lines before and after its own a frame carries; null: not even its own. */
  contextLines: number | null;
  hasVars: boolean;
  /** Frames of frameworks, outermost first; not in-app. */
  library: ReadonlyArray<readonly [filename: string, functionName: string, line: string]>;
  loggers: readonly string[];
  runtime: Record<string, string>;
  modules: Record<string, string>;
}

const PYTHON: Dialect = {
  platform: "python",
  sdk: { name: "sentry.python.django", version: "2.46.0" },
  isBrowser: false,
  errors: [
    ["ValueError", "{noun} {n} has no {noun} for quantity {m}"],
    ["KeyError", "'{noun}_id'"],
    [
      "IntegrityError",
      'duplicate key value violates unique constraint "{noun}_{noun}_id_key" DETAIL: Key ({noun}_id)=({n}) already exists.',
    ],
    ["TimeoutError", "{noun} service did not answer within {m} ms"],
  ],
  functionName: "{verb}_{noun}",
  filename: "shop/{noun}/{verb}_{noun}.py",
  root: "/srv/app/releases/current/",
  module: "shop.{noun}.{verb}_{noun}",
  source: [
    "    def {verb}_{noun}(self, {noun}_id: int, *, force: bool = False) -> {Noun}Result:",
    '        {noun} = {Noun}.objects.select_related("{noun}", "tenant").get(pk={noun}_id)',
    "        if {noun}.status not in ({Noun}Status.OPEN, {Noun}Status.WAITING) and not force:",
    '            raise {Noun}NotAllowed(f"{noun} {{noun}.pk} is {{noun}.status}")',
    "        with transaction.atomic(using=self.alias):",
    "            result = self.{noun}_gateway.{verb}({noun}, timeout=settings.{NOUN}_TIMEOUT_SECONDS)",
    '            logger.info("{verb} {noun}", extra={"{noun}_id": {noun}.pk, "attempt": attempt})',
    "            return {Noun}Result.from_row(result, currency=self.tenant.currency)",
    "        for line in {noun}.lines.order_by('position').iterator(chunk_size=200):",
    "            total += line.quantity * line.unit_price - line.discount",
  ],
  contextLines: 5,
  hasVars: true,
  library: [
    ["django/core/handlers/exception.py", "inner", "                response = get_response(request)"],
    [
      "django/core/handlers/base.py",
      "_get_response",
      "                response = wrapped_callback(request, *callback_args, **callback_kwargs)",
    ],
    ["rest_framework/views.py", "dispatch", "            response = handler(request, *args, **kwargs)"],
    ["django/views/decorators/csrf.py", "_view_wrapper", "            return view_func(request, *args, **kwargs)"],
  ],
  loggers: ["django.request", "shop.{noun}", "celery.worker"],
  runtime: { name: "CPython", version: "3.13.9", build: "3.13.9 (main, Oct 14 2025, 00:00:00) [GCC 14.2.0]" },
  modules: { django: "5.2.8", djangorestframework: "3.16.1", celery: "5.5.3", psycopg: "3.2.12", redis: "7.0.1" },
};

const NODE: Dialect = {
  platform: "node",
  sdk: { name: "sentry.javascript.node", version: "10.75.2" },
  isBrowser: false,
  errors: [
    ["TypeError", "Cannot read properties of undefined (reading '{noun}Id')"],
    ["{Noun}NotFoundError", "no {noun} {n} in tenant {m}"],
    ["Error", "connect ECONNREFUSED 10.12.{m}.7:5432"],
    ["RangeError", "Invalid {noun} index {n}"],
  ],
  functionName: "{Noun}Service.{verb}{Noun}",
  filename: "src/{noun}/{verb}-{noun}.service.ts",
  root: "/app/dist/",
  module: "{noun}:{verb}-{noun}.service",
  source: [
    "  async {verb}{Noun}(input: {Verb}{Noun}Input, context: RequestContext): Promise<{Noun}> {",
    "    const {noun} = await this.{noun}Repository.findOneOrFail({ where: { id: input.{noun}Id }, relations: ['{noun}'] });",
    "    if (!this.policy.may('{verb}', {noun}, context.viewer)) throw new ForbiddenError('{verb} {noun}');",
    "    const total = {noun}.lines.reduce((sum, line) => sum.plus(line.price.times(line.quantity)), Money.zero());",
    "    const answer = await this.{noun}Gateway.{verb}({noun}.reference, { total, idempotencyKey: context.requestId });",
    "    await this.events.publish(new {Noun}{Verb}Event({noun}.id, answer.status, new Date()));",
    "    return this.toDto({noun}, answer.{noun}Id);",
    "    this.logger.debug({ {noun}Id: {noun}.id, ms: timer.elapsed() }, '{verb} {noun}');",
  ],
  contextLines: 7,
  hasVars: false,
  library: [
    ["node_modules/router/lib/layer.js", "Layer.handleRequest", "    const ret = fn(req, res, next)"],
    ["node_modules/router/lib/route.js", "next", "      layer.handleRequest(req, res, next)"],
    ["node_modules/express-async-errors/index.js", "newFn", "  const ret = fn.apply(this, args);"],
    ["node:internal/process/task_queues", "process.processTicksAndRejections", ""],
  ],
  loggers: ["http", "{noun}", "console"],
  runtime: { name: "node", version: "v24.11.0" },
  modules: { express: "5.1.0", typeorm: "0.3.27", pg: "8.16.3", pino: "10.1.0", bullmq: "5.63.0" },
};

const BROWSER: Dialect = {
  platform: "javascript",
  sdk: { name: "sentry.javascript.react", version: "10.75.2" },
  isBrowser: true,
  errors: [
    ["TypeError", "Cannot read properties of null (reading '{noun}')"],
    ["{Noun}LoadError", "GET /api/{noun}/{n} answered 50{m}"],
    ["RepositoryError", "Loading {noun} {n} failed. (error: https://shop.example.com/assets/{noun}.js)"],
    ["Error", "Minified React error #418; visit https://react.dev/errors/418 for the full message"],
  ],
  functionName: "{verb}{Noun}",
  filename: "assets/{noun}-{verb}.js",
  root: "https://shop.example.com/",
  module: null,
  source: [
    "export function {Noun}Panel({ {noun}, onChange, isOpen = false }: {Noun}PanelProps) {",
    "  const [{noun}State, {verb}{Noun}] = useReducer({noun}Reducer, {noun}, toInitial{Noun});",
    "  useEffect(() => { if (isOpen) void {verb}{Noun}({ id: {noun}.id, signal: controller.signal }); }, [isOpen, {noun}.id]);",
    "  return <Dialog open={isOpen} onOpenChange={onChange} aria-labelledby={`{noun}-${{noun}.id}`}>{children}</Dialog>;",
    "    const response = await fetch(`/api/{noun}/${id}?expand={noun}`, { headers, credentials: 'same-origin' });",
    "    if (!response.ok) throw new {Noun}LoadError(`GET ${response.url} answered ${response.status}`);",
  ],
  contextLines: null,
  hasVars: false,
  library: [
    ["assets/vendor-react.js", "callCallback", "      fakeNode.dispatchEvent(evt);"],
    ["assets/vendor-react.js", "commitHookEffectListMount", "        var destroy = create();"],
    ["assets/vendor-query.js", "Retryer.run", "      promiseOrValue = config.fn();"],
  ],
  loggers: ["console", "ui.click"],
  runtime: { name: "browser" },
  modules: {},
};

const JAVA: Dialect = {
  platform: "java",
  sdk: { name: "sentry.java.spring-boot.jakarta", version: "8.26.0" },
  isBrowser: false,
  errors: [
    ["NullPointerException", 'Cannot invoke "com.example.shop.{noun}.{Noun}.getId()" because "{noun}" is null'],
    ["{Noun}NotFoundException", "{Noun} {n} not found for tenant {m}"],
    [
      "DataIntegrityViolationException",
      "could not execute statement [ERROR: duplicate key value violates unique constraint] [insert into {noun} (id,tenant_id) values ({n},{m})]",
    ],
    ["IllegalStateException", "{noun} {n} is already closed"],
  ],
  functionName: "{verb}{Noun}",
  filename: "{Noun}{Verb}Service.java",
  root: "",
  module: "com.example.shop.{noun}.{Noun}{Verb}Service",
  source: [
    "    public {Noun}Response {verb}{Noun}(UUID {noun}Id, {Verb}{Noun}Request request, Principal principal) {",
    "        {Noun} {noun} = {noun}Repository.findByIdAndTenant({noun}Id, tenants.current()).orElseThrow(() -> new {Noun}NotFoundException({noun}Id));",
    "        BigDecimal total = {noun}.getLines().stream().map({Noun}Line::getAmount).reduce(BigDecimal.ZERO, BigDecimal::add);",
    "        {noun}Events.publish(new {Noun}{Verb}Event({noun}.getId(), clock.instant(), principal.getName()));",
    "        return mapper.toResponse({noun}, total.setScale(2, RoundingMode.HALF_UP));",
  ],
  contextLines: null,
  hasVars: false,
  library: [
    ["Thread.java", "run", ""],
    ["StandardWrapperValve.java", "invoke", ""],
    ["DispatcherServlet.java", "doDispatch", ""],
    ["InvocableHandlerMethod.java", "doInvoke", ""],
    ["CglibAopProxy.java", "intercept", ""],
  ],
  loggers: ["com.example.shop.{noun}", "org.hibernate.SQL"],
  runtime: {
    name: "OpenJDK Runtime Environment",
    version: "21.0.9",
    raw_description: "Eclipse Adoptium 21.0.9+10-LTS",
  },
  modules: { "org.springframework:spring-webmvc": "6.2.12", "org.hibernate.orm:hibernate-core": "6.6.33.Final" },
};

const PHP: Dialect = {
  platform: "php",
  sdk: { name: "sentry.php.laravel", version: "4.19.0" },
  isBrowser: false,
  errors: [
    ["ErrorException", 'Undefined array key "{noun}_id"'],
    [
      "Illuminate\\Database\\QueryException",
      "SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '{n}' for key '{noun}s.{noun}_reference_unique'",
    ],
    ["App\\Exceptions\\{Noun}Exception", "{noun} {n} cannot be changed in state {m}"],
  ],
  functionName: "App\\Services\\{Noun}Service::{verb}{Noun}",
  filename: "/app/Services/{Noun}/{Verb}{Noun}.php",
  root: "/var/www/html",
  module: null,
  source: [
    "    public function {verb}{Noun}(int ${noun}Id, array $options = []): {Noun}Result",
    "        ${noun} = {Noun}::query()->with(['{noun}', 'tenant'])->findOrFail(${noun}Id);",
    "        abort_unless($this->gate->allows('{verb}', ${noun}), 403, '{verb} {noun}');",
    "        $answer = $this->{noun}Client->{verb}(${noun}->reference, ['timeout' => config('{noun}.timeout')]);",
    "        event(new {Noun}{Verb}(${noun}, $answer['{noun}_id'] ?? null));",
    "        Cache::tags(['{noun}', 'tenant:'.$tenant->id])->put(\"{noun}:{${noun}Id}\", $answer, now()->addMinutes(10));",
  ],
  contextLines: 5,
  hasVars: true,
  library: [
    ["/public/index.php", "", "$kernel = $app->make(Kernel::class);"],
    [
      "/vendor/laravel/framework/src/Illuminate/Foundation/Http/Kernel.php",
      "Illuminate\\Foundation\\Http\\Kernel::handle",
      "            $response = $this->sendRequestThroughRouter($request);",
    ],
    [
      "/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php",
      "Illuminate\\Pipeline\\Pipeline::then",
      "        return $pipeline($this->passable);",
    ],
    [
      "/vendor/laravel/framework/src/Illuminate/Routing/Router.php",
      "Illuminate\\Routing\\Router::dispatch",
      "        return $this->dispatchToRoute($request);",
    ],
  ],
  loggers: ["laravel", "stack"],
  runtime: { name: "php", version: "8.4.14" },
  modules: { "laravel/framework": "12.37.0", "guzzlehttp/guzzle": "7.10.0", "predis/predis": "3.2.0" },
};

const RUBY: Dialect = {
  platform: "ruby",
  sdk: { name: "sentry.ruby.rails", version: "6.1.1" },
  isBrowser: false,
  errors: [
    ["NoMethodError", "undefined method '{verb}_{noun}' for nil"],
    ["ActiveRecord::RecordNotFound", "Couldn't find {Noun} with 'id'={n}"],
    ["Net::ReadTimeout", "Net::ReadTimeout with #<TCPSocket:(closed)> while {verb} {noun} {n}"],
  ],
  functionName: "{verb}_{noun}",
  filename: "app/services/{noun}/{verb}_{noun}.rb",
  root: "/srv/shop/current/",
  module: "{Noun}::{Verb}{Noun}",
  source: [
    "    def {verb}_{noun}({noun}_id, force: false)",
    "      {noun} = {Noun}.includes(:{noun}, :tenant).find({noun}_id)",
    '      raise {Noun}::NotAllowed, "{noun} #{{noun}.id} is #{{noun}.state}" unless {noun}.may_{verb}? || force',
    "      response = {noun}_client.{verb}({noun}.reference, timeout: Rails.configuration.x.{noun}_timeout)",
    "      ActiveSupport::Notifications.instrument('{verb}.{noun}', id: {noun}.id) { {noun}.update!(state: response.state) }",
    "      {noun}.lines.find_each(batch_size: 200) { |line| total += line.quantity * line.unit_price }",
  ],
  contextLines: 3,
  hasVars: false,
  library: [
    ["rack/method_override.rb", "call", "      @app.call(env)"],
    ["action_dispatch/middleware/callbacks.rb", "block in call", "        @app.call(env)"],
    ["abstract_controller/callbacks.rb", "process_action", "            super"],
    ["action_controller/metal/basic_implicit_render.rb", "send_action", "        ret = super"],
  ],
  loggers: ["active_support", "sidekiq", "{noun}"],
  runtime: { name: "ruby", version: "ruby 3.4.7 (2025-10-08 revision 7a5688e2a2) +PRISM [x86_64-linux]" },
  modules: { rails: "8.1.1", puma: "7.1.0", pg: "1.6.2", sidekiq: "8.0.9" },
};

const GO: Dialect = {
  platform: "go",
  sdk: { name: "sentry.go", version: "0.36.2" },
  isBrowser: false,
  errors: [
    ["*errors.errorString", "{verb} {noun} {n}: context deadline exceeded"],
    ["*{noun}.NotFoundError", "{noun} {n} not found in shard {m}"],
    ["runtime.boundsError", "index out of range [{n}] with length {m}"],
  ],
  functionName: "(*{Noun}Server).{Verb}{Noun}",
  filename: "internal/{noun}/{verb}_{noun}.go",
  root: "/build/shop/",
  module: "example.com/shop/internal/{noun}",
  source: [
    "func (s *{Noun}Server) {Verb}{Noun}(ctx context.Context, req *{noun}pb.{Verb}{Noun}Request) (*{noun}pb.{Noun}, error) {",
    "\t{noun}, err := s.store.Get{Noun}(ctx, req.Get{Noun}Id(), store.WithTenant(tenant.From(ctx)))",
    '\tif err != nil {\n\t\treturn nil, fmt.Errorf("{verb} {noun} %d: %w", req.Get{Noun}Id(), err)',
    '\tctx, span := s.tracer.Start(ctx, "{noun}.{verb}", trace.WithAttributes(attribute.Int64("{noun}.id", {noun}.ID)))',
    "\tdefer func() { s.metrics.{Noun}{Verb}Duration.Observe(time.Since(start).Seconds()) }()",
    "\tlines := make([]{noun}.Line, 0, len(req.GetLines()))",
  ],
  contextLines: 5,
  hasVars: false,
  library: [
    ["net/http/server.go", "(*conn).serve", "\t\tserverHandler{c.server}.ServeHTTP(w, w.req)"],
    [
      "google.golang.org/grpc/server.go",
      "(*Server).processUnaryRPC",
      "\treply, appErr := md.Handler(info.serviceImpl, ctx, df, s.opts.unaryInt)",
    ],
    ["github.com/go-chi/chi/v5/mux.go", "(*Mux).routeHTTP", "\t\th.ServeHTTP(w, r)"],
  ],
  loggers: ["slog", "grpc"],
  runtime: { name: "go", version: "go1.25.4", go_numroutines: "214", go_maxprocs: "8" },
  modules: {
    "github.com/go-chi/chi/v5": "v5.2.3",
    "google.golang.org/grpc": "v1.76.0",
    "github.com/jackc/pgx/v5": "v5.7.6",
  },
};

const CSHARP: Dialect = {
  platform: "csharp",
  sdk: { name: "sentry.dotnet.aspnetcore", version: "6.0.0" },
  isBrowser: false,
  errors: [
    ["System.NullReferenceException", "Object reference not set to an instance of an object."],
    ["System.InvalidOperationException", "Sequence contains no matching {noun} for {n}"],
    ["Shop.{Noun}.{Noun}LockedException", "{Noun} {n} is locked by job {m}"],
  ],
  functionName:
    "async Task<{Noun}Dto> {Noun}Handler.{Verb}{Noun}Async({Verb}{Noun}Command command, CancellationToken cancel)",
  filename: "src/Shop.{Noun}/{Verb}{Noun}Handler.cs",
  root: "/build/",
  module: "Shop.{Noun}.{Verb}{Noun}Handler",
  source: [
    "    public async Task<{Noun}Dto> {Verb}{Noun}Async({Verb}{Noun}Command command, CancellationToken cancel)",
    "        var {noun} = await _db.{Noun}s.Include(x => x.Lines).SingleAsync(x => x.Id == command.{Noun}Id, cancel);",
    "        Guard.Against.InvalidState({noun}.Status, allowed: [{Noun}Status.Open, {Noun}Status.Waiting]);",
    "        var answer = await _{noun}Client.{Verb}Async({noun}.Reference, new {Verb}Options { Timeout = _options.{Noun}Timeout }, cancel);",
    '        _logger.LogInformation("{Verb} {Noun} {Id} took {Elapsed}", {noun}.Id, watch.Elapsed);',
    "        return _mapper.Map<{Noun}Dto>({noun}) with { Status = answer.Status };",
  ],
  contextLines: null,
  hasVars: false,
  library: [
    ["Microsoft.AspNetCore.Mvc.Core", "async Task ResourceInvoker.InvokeFilterPipelineAsync()", ""],
    ["Microsoft.AspNetCore.Mvc.Core", "async Task ControllerActionInvoker.InvokeActionMethodAsync()", ""],
    ["Microsoft.AspNetCore.Routing", "async Task EndpointMiddleware.Invoke(HttpContext httpContext)", ""],
    [
      "MediatR",
      "async Task<TResponse> RequestExceptionProcessorBehavior<TRequest, TResponse>.Handle(TRequest request)",
      "",
    ],
  ],
  loggers: ["Microsoft.EntityFrameworkCore.Database.Command", "Shop.{Noun}"],
  runtime: { name: ".NET", version: "10.0.0", raw_description: ".NET 10.0.0" },
  modules: { "Microsoft.EntityFrameworkCore": "10.0.0", MediatR: "13.1.0", Npgsql: "10.0.0" },
};

export const DIALECTS: readonly Dialect[] = [PYTHON, NODE, BROWSER, JAVA, PHP, RUBY, GO, CSHARP];
