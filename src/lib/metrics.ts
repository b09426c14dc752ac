import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from './time/timeout.ts';

/** A figure that is read at each scrape. With a label, it has a value for each of the label's. */
interface GaugeInfo {
  help: string;
  label?: string | undefined;
}

type Reading<Gauges extends Record<string, GaugeInfo>> = {
  [Name in keyof Gauges]: number | Readonly<Record<string, number>>;
};

/** In seconds. Slack gives up on an acknowledgement after 3. */
const acknowledgementBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5];

/** In milliseconds. A scrape waits for ten seconds. */
const readWithinMs = 2_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** The program's metrics in the Prometheus format. Labels have a fixed set of values: never a number, a user or a text. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readers: (() => Promise<void>)[] = [];
  return {
    ...createCounts(registry),
    ...createDurations(registry),
    /** Adds gauges that are read together. Those that cannot be read in time are missing from that scrape. */
    gauges<Gauges extends Record<string, GaugeInfo>>(
      gauges: Gauges,
      read: () => Promise<Reading<Gauges>> | Reading<Gauges>,
    ): void {
      readers.push(createReader(registry, gauges, read));
    },
    async read(): Promise<{ contentType: string; text: string }> {
      await Promise.all(readers.map((readGauges) => readGauges()));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Functions that count events by labels. Some take how many there were. */
function createCounts(registry: Registry) {
  const by = (label: string, name: string, help: string) => {
    const counted = counter(registry, name, help, label);
    return (value: string, count = 1) => counted.inc({ [label]: value }, count);
  };
  const operations = counter(
    registry,
    'operations_total',
    'Operations at the provider, by kind and outcome',
    'kind',
    'state',
  );
  const countItems = by(
    'outcome',
    'delivery_report_items_total',
    'Incoming reports and messages, by outcome: stored, or why they were skipped',
  );
  const unknownStatuses = counter(
    registry,
    'unknown_delivery_statuses_total',
    'Reports with a status that isn’t in the table',
  );
  const resolved = counter(
    registry,
    'operations_resolved_total',
    'Unconfirmed operations that turned out to be accepted',
  );
  return {
    request: by('kind', 'slack_requests_total', 'Requests from Slack, by kind'),
    shed: by('kind', 'shed_requests_total', 'Requests from Slack rejected because of overload, by kind'),
    /** Counts an operation of the provider that ended. */
    operation: (kind: string, state: string) => operations.inc({ kind, state }),
    campaignRecipients: by('state', 'campaign_recipients_total', 'Recipients of campaigns, by outcome'),
    limitReached: by('rule', 'limits_reached_total', 'Requests rejected by a limit, by rule'),
    /** Counts a request with delivery reports. */
    reports: by(
      'outcome',
      'delivery_reports_total',
      'Webhook requests with delivery reports, by outcome: accepted, or why they were rejected',
    ),
    /** Counts the items of a request with delivery reports, by outcome. */
    reportItems(items: Readonly<Record<'taken' | 'unreadable' | 'stale' | 'leftAside', number>>): void {
      const { leftAside, ...others } = items;
      for (const [outcome, count] of Object.entries({ ...others, left_aside: leftAside })) {
        countItems(outcome, count);
      }
    },
    /** Counts reported statuses that aren't in the table. */
    unknownStatus: (count: number) => unknownStatuses.inc(count),
    /** Counts operations that were unconfirmed and have been resolved. */
    resolved: (count: number) => resolved.inc(count),
  };
}

/** Functions that time and count finished work; `took` is in milliseconds. */
function createDurations(registry: Registry) {
  const acknowledged = histogram(
    registry,
    'acknowledgement',
    'Time from a request’s arrival from Slack to its acknowledgement, by kind',
    acknowledgementBuckets,
    'kind',
  );
  const providerCall = calls(registry, 'provider', 'operation', {
    count: 'Calls to the provider, by operation and outcome',
    duration: 'Duration of calls to the provider, including the wait for a connection, by operation',
  });
  const slackCall = calls(registry, 'slack', 'method', {
    count: 'Calls to Slack, by method and outcome',
    duration: 'Duration of calls to Slack, by method',
  });
  const statement = histogram(
    registry,
    'database_statement',
    'Duration of database statements',
    statementBuckets,
  );
  const statementErrors = counter(registry, 'database_errors_total', 'Database statements that failed');
  return {
    acknowledged: (kind: string, took: number) => acknowledged(took, { kind }),
    providerCall: (call: Call & { operation: string }) => providerCall(call.operation, call),
    slackCall: (call: Call & { method: string }) => slackCall(call.method, call),
    statement({ took, failed }: { took: number; failed: boolean }) {
      statement(took);
      if (failed) {
        statementErrors.inc();
      }
    },
  };
}

interface Call {
  outcome: string;
  took: number;
}

/** Returns a function that counts and times the calls of another program. */
function calls(
  registry: Registry,
  program: string,
  label: string,
  help: { count: string; duration: string },
): (name: string, call: Call) => void {
  const count = counter(registry, `${program}_calls_total`, help.count, label, 'outcome');
  const duration = histogram(registry, `${program}_call`, help.duration, callBuckets, label);
  return (name, { outcome, took }) => {
    count.inc({ [label]: name, outcome });
    duration(took, { [label]: name });
  };
}

function counter(registry: Registry, name: string, help: string, ...labelNames: string[]) {
  return new Counter({ name: `switchboard_${name}`, help, labelNames, registers: [registry] });
}

function histogram(
  registry: Registry,
  name: string,
  help: string,
  buckets: number[],
  ...labelNames: string[]
): (took: number, labels?: Record<string, string>) => void {
  const options = { name: `switchboard_${name}_seconds`, help, buckets, labelNames, registers: [registry] };
  const seconds = new Histogram(options);
  return (took, labels = {}) => seconds.observe(labels, took / 1_000);
}

/** Returns a function that reads the values and sets these gauges to them. It never rejects. */
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
