import { context, DiagLogLevel, diag, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import pg from 'pg';
import type { Log } from '../log.ts';
import { withLogFields } from '../log-fields.ts';
import { redact } from '../redact.ts';
import { throttle } from '../time/throttle.ts';
import { type Step, traceWith } from './tracing.ts';

/** In milliseconds, of one delivery to the collector. */
const exportTimeout = 5_000;
const warnEveryMs = 60_000;

const spanKinds: Record<Step['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/**
 * Traces from now on: the program's own steps, and within them undici's requests and the statements of pg. What leaves is
 * cleaned, see `CleaningExporter`. Nobody outside is told the id of a trace: no request gets a header. Returns what delivers
 * the last spans and stops.
 *
 * Only imported where traces are on: this and what it loads take tens of megabytes.
 */
export function startTracing(
  collector: URL,
  { version, log }: { version: string; log: Log },
): () => Promise<void> {
  const warn = throttle(
    warnEveryMs,
    () => performance.now(),
    (message: string) =>
      log.warn(
        { from: 'opentelemetry', reason: redact(message) },
        'traces are not delivered; at most one a minute is logged',
      ),
  );
  const silent = () => {};
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const url = new URL('v1/traces', collector.href.endsWith('/') ? collector : `${collector.href}/`).href;
  const service = resourceFromAttributes({ 'service.name': 'switchboard', 'service.version': version });
  const provider = new TracerProvider({
    // The name and further attributes can be set by OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
    resource: service.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new CleaningExporter(new OTLPTraceExporter({ url, timeoutMillis: exportTimeout })),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const undici = new UndiciInstrumentation({ requireParentforSpans: true });
  undici.setTracerProvider(provider);
  const statements = new PgStatements({ enabled: false, requireParentSpan: true });
  statements.setTracerProvider(provider);
  statements.patch();
  traceSteps(provider);
  return async () => {
    undici.disable();
    await provider.shutdown();
  };
}

function traceSteps(provider: TracerProvider): void {
  const tracer = provider.getTracer('switchboard');
  traceWith({
    trace({ name, kind, attributes = {}, isRoot = false }, work) {
      const options = { kind: spanKinds[kind], attributes, root: isRoot };
      return tracer.startActiveSpan(name, options, async (span) => {
        const open = { set: (more: Step['attributes']) => void span.setAttributes({ ...more }) };
        try {
          return await withLogFields({ trace: span.spanContext().traceId }, () => work(open));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  });
}

/** Patches pg where it is: its own hooks see no import of an ES module, and none in a bundle. */
class PgStatements extends PgInstrumentation {
  patch(): void {
    const parts = { pg, 'pg-pool': Object.getPrototypeOf(pg.Pool) };
    for (const { name, patch } of this.init()) {
      patch?.(name === 'pg' ? parts.pg : parts['pg-pool']);
    }
  }
}

/**
 * What a span may say. Everything else is dropped: addresses hold numbers, keys and tokens, errors quote messages, and
 * a later release of an instrumentation may add to what it says.
 */
const allowed: ReadonlySet<string> = new Set([
  'campaign',
  'provider.operation',
  'provider.outcome',
  'provider.reason',
  'slack.method',
  'slack.outcome',
  'slack.request',
  'db.namespace',
  'db.operation.name',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'server.address',
  'server.port',
]);
const statementText = 'db.query.text';

/** Passes spans on without anything personal or secret. */
class CleaningExporter implements SpanExporter {
  readonly #next: SpanExporter;

  constructor(next: SpanExporter) {
    this.#next = next;
  }

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.#next.export(spans.map(clean), done);
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#next.forceFlush?.();
  }
}

function clean(span: ReadableSpan): ReadableSpan {
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    // Without the message.
    status: { code: span.status.code },
    attributes: cleanAttributes(span.attributes),
    links: [],
    // Events are exceptions, with their messages.
    events: [],
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount + span.events.length,
    droppedLinksCount: span.droppedLinksCount + span.links.length,
  };
}

function cleanAttributes(attributes: ReadableSpan['attributes']): ReadableSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      if (name === statementText && typeof value === 'string') {
        return [[name, cleanStatement(value)]];
      }
      return allowed.has(name) ? [[name, value]] : [];
    }),
  );
}

/** In characters. */
const maxStatement = 2_000;

/** Parameters are not in a statement, but a literal may be. */
function cleanStatement(text: string): string {
  return text
    .slice(0, maxStatement)
    .replace(/'(?:[^']|'')*(?:'|$)/g, '?')
    .replace(/\b\d{5,}\b/g, '?');
}
