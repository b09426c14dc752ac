import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * What a span may say. Everything else is dropped: addresses hold numbers, keys and tokens, errors quote what was sent, and
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
export class CleaningExporter implements SpanExporter {
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
