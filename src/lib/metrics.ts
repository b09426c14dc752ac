import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from './time/timeout.ts';

/** A call of another program that ended. */
export interface CallMetric {
  outcome: string;
  /** In milliseconds. */
  took: number;
}

/** A figure that is read at each scrape. With a label, it has a value for each of the label's. */
export interface GaugeInfo {
  help: string;
  label?: string | undefined;
}

type Reading<Gauges extends Record<string, GaugeInfo>> = {
  [Name in keyof Gauges]: number | Readonly<Record<string, number>>;
};

/** The program's metrics in the Prometheus format. Labels have a fixed set of values: never a number, a user or a text. */
export interface Metrics {
  /** Counts a request from Slack. */
  request(kind: string): void;
  /** Counts a request from Slack that was refused for overload. */
  shed(kind: string): void;
  /** A request from Slack was acknowledged, `took` milliseconds after it arrived. */
  acknowledged(kind: string, took: number): void;
  /** Counts an operation of the provider that ended. */
  operation(kind: string, state: string): void;
  /** A call of the provider ended. */
  providerCall(call: CallMetric & { operation: string }): void;
  /** A call of Slack ended. */
  slackCall(call: CallMetric & { method: string }): void;
  /** Counts recipients of campaigns that got their outcome. */
  campaignRecipients(state: string, recipients: number): void;
  /** Counts what a limit refused. */
  limitReached(rule: string): void;
  /** Counts a request with delivery reports, by what became of it. */
  reports(outcome: string): void;
  /** Counts the items of a request with delivery reports, by what became of them. */
  reportItems(items: Readonly<Record<'taken' | 'unreadable' | 'stale' | 'leftAside', number>>): void;
  /** Counts operations that were unconfirmed, and are not any more. */
  resolved(operations: number): void;
  /** A statement of the database ended. */
  statement(statement: { took: number; failed: boolean }): void;
  /** Adds gauges that are read together. Those that cannot be read in time are missing from that scrape. */
  gauges<Gauges extends Record<string, GaugeInfo>>(
    gauges: Gauges,
    read: () => Promise<Reading<Gauges>> | Reading<Gauges>,
  ): void;
  read(): Promise<{ contentType: string; text: string }>;
}

/** In seconds. Slack gives up on an acknowledgement after 3. */
const acknowledgementBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5];

/** In milliseconds. A scrape waits for ten seconds. */
const readWithinMs = 2_000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `switchboard_${name}`, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name: `switchboard_${name}`, help, buckets, labelNames, registers: [registry] });

  const readers: (() => Promise<void>)[] = [];

  const requests = counter('slack_requests_total', 'Requests from Slack, by kind', 'kind');
  const shed = counter(
    'shed_requests_total',
    'Requests from Slack that were refused for overload, by kind',
    'kind',
  );
  const acknowledgements = histogram(
    'acknowledgement_seconds',
    'From the arrival of a request from Slack to its acknowledgement, by kind',
    acknowledgementBuckets,
    'kind',
  );
  const operations = counter(
    'operations_total',
    'Operations on the provider, by kind and by how they ended',
    'kind',
    'state',
  );
  const providerCalls = counter(
    'provider_calls_total',
    'Calls of the provider, by operation and outcome',
    'operation',
    'outcome',
  );
  const providerSeconds = histogram(
    'provider_call_seconds',
    'How long calls of the provider took, waiting for a connection included, by operation',
    callBuckets,
    'operation',
  );
  const slackCalls = counter(
    'slack_calls_total',
    'Calls of Slack, by method and outcome',
    'method',
    'outcome',
  );
  const slackSeconds = histogram(
    'slack_call_seconds',
    'How long calls of Slack took, by method',
    callBuckets,
    'method',
  );
  const recipients = counter(
    'campaign_recipients_total',
    'Recipients of campaigns that got their outcome, by outcome',
    'state',
  );
  const limits = counter('limits_reached_total', 'What a limit refused, by rule', 'rule');
  const reports = counter(
    'delivery_reports_total',
    'Requests with delivery reports, by outcome: taken, or why they were refused',
    'outcome',
  );
  const reportItems = counter(
    'delivery_report_items_total',
    'Reports and messages that came in, by outcome: taken, or why they were left out',
    'outcome',
  );
  const resolved = counter(
    'operations_resolved_total',
    'Unconfirmed operations that turned out to be accepted',
  );
  const statements = histogram(
    'database_statement_seconds',
    'How long statements of the database took',
    statementBuckets,
  );
  const statementErrors = counter('database_errors_total', 'Statements of the database that failed');

  return {
    request: (kind) => requests.inc({ kind }),
    shed: (kind) => shed.inc({ kind }),
    acknowledged: (kind, took) => acknowledgements.observe({ kind }, took / 1_000),
    operation: (kind, state) => operations.inc({ kind, state }),
    providerCall({ operation, outcome, took }) {
      providerCalls.inc({ operation, outcome });
      providerSeconds.observe({ operation }, took / 1_000);
    },
    slackCall({ method, outcome, took }) {
      slackCalls.inc({ method, outcome });
      slackSeconds.observe({ method }, took / 1_000);
    },
    campaignRecipients: (state, count) => recipients.inc({ state }, count),
    reports: (outcome) => reports.inc({ outcome }),
    reportItems({ taken, unreadable, stale, leftAside }) {
      for (const [outcome, count] of Object.entries({ taken, unreadable, stale, left_aside: leftAside })) {
        reportItems.inc({ outcome }, count);
      }
    },
    resolved: (count) => resolved.inc(count),
    limitReached: (rule) => limits.inc({ rule }),
    statement({ took, failed }) {
      statements.observe(took / 1_000);
      if (failed) {
        statementErrors.inc();
      }
    },
    gauges: (gauges, readAll) => readers.push(createReader(registry, gauges, readAll)),
    async read() {
      await Promise.all(readers.map((readGauges) => readGauges()));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Returns a function that sets these gauges to what is read. It never rejects. */
function createReader<Gauges extends Record<string, GaugeInfo>>(
  registry: Registry,
  infos: Gauges,
  read: () => Promise<Reading<Gauges>> | Reading<Gauges>,
): () => Promise<void> {
  const gauges = Object.entries(infos).map(([name, { help, label }]) => {
    const labelNames = label === undefined ? [] : [label];
    const gauge = new Gauge({ name: `switchboard_${name}`, help, labelNames, registers: [registry] });
    return { name, gauge, label };
  });
  return async () => {
    const reading = await withTimeout(
      Promise.resolve()
        .then(read)
        .catch(() => undefined),
      readWithinMs,
      () => undefined,
    );
    for (const { name, gauge, label } of gauges) {
      gauge.reset();
      const value = reading?.[name];
      if (label === undefined && typeof value === 'number') {
        gauge.set(value);
      } else if (label === undefined) {
        // A gauge without labels is 0 after a reset, and that is not known.
        gauge.remove();
      } else {
        for (const [each, count] of Object.entries(value ?? {})) {
          gauge.set({ [label]: each }, count);
        }
      }
    }
  };
}
