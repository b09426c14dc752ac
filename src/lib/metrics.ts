import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

/** The program's figures, in Prometheus' form. Labels are closed names only: never a number, a person or a text. */
export interface Metrics {
  /** A request from Slack came in. */
  request(kind: string): void;
  /** A request from Slack was refused for overload. */
  shed(kind: string): void;
  /** An operation on the provider ended. */
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
