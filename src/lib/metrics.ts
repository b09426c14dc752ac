import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** The program's metrics in the Prometheus format. Labels have a fixed set of values: never a number, a user or a text. */
export interface Metrics {
  /** Counts a request from Slack. */
  request(kind: string): void;
  /** Counts a request from Slack that was refused for overload. */
  shed(kind: string): void;
  /** Counts an operation of the provider that ended. */
  operation(kind: string, state: string): void;
  read(): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'switchboard_slack_requests_total',
    help: 'Requests from Slack, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const shed = new Counter({
    name: 'switchboard_shed_requests_total',
    help: 'Requests from Slack that were refused for overload, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });
  const operations = new Counter({
    name: 'switchboard_operations_total',
    help: 'Operations on the provider, by kind and by how they ended',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  return {
    request: (kind) => requests.inc({ kind }),
    shed: (kind) => shed.inc({ kind }),
    operation: (kind, state) => operations.inc({ kind, state }),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
