import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe } from 'node:test';
import type { RunningApp } from '../../../src/app.ts';

/** How many instances of the program a journey has that names no number: on one PostgreSQL, dealt the requests in turn. */
export const testedInstances = Number(process.env.TEST_INSTANCES ?? 1);

/** Defines tests that `npm test` runs on one instance, and `npm run test:databases`, which looks for this name, on three. */
export function forOneAndThreeInstances(define: () => void): void {
  describe(testedInstances === 1 ? 'on one instance' : `on ${testedInstances} instances`, define);
}

/** A server before several instances, which each request after another goes to, however they belong together. */
export async function startDealer(
  ports: () => readonly number[],
): Promise<{ port: number; close(): Promise<void> }> {
  let dealt = 0;
  const server = createServer((incoming, outgoing) => {
    const all = ports();
    dealt += 1;
    const port = all[dealt % all.length];
    const { method, url, headers } = incoming;
    const onward = forward(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Several instances as one: what they do is done when each has done it. */
export function asOne(instances: readonly RunningApp[], port: number): RunningApp {
  const [first] = instances;
  if (first === undefined) {
    throw new Error('at least one instance');
  }
  return {
    ...first,
    port,
    async settled() {
      await Promise.all(instances.map((instance) => instance.settled()));
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
    },
  };
}
