import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server of PostgreSQL that is further away than it is. */
export interface SlowLink {
  /** Leads to it, with the name and password of the near one. */
  url: string;
  /** How often a connection has sent something after it was answered, so far: what is sent together counts once. */
  roundTrips(): number;
  stop(): Promise<void>;
}

export async function startSlowLink(databaseUrl: string, roundTripMs: number): Promise<SlowLink> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;

  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    let isAnswered = true;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), roundTripMs);
      });
      // Timers of one length end in order.
      from.on('data', (data) => {
        if (from === near && isAnswered) {
          roundTrips += 1;
        }
        isAnswered = from === far;
        setTimeout(() => to.write(data), roundTripMs / 2);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' ? address?.port : '');
  return {
    url: url.href,
    roundTrips: () => roundTrips,
    async stop() {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await once(server, 'close');
    },
  };
}
