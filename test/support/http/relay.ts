import { once } from 'node:events';
import type { ListenOptions, Server, Socket } from 'node:net';

/** Keeps the ends of one connection together: when one closes, the others do. All of them close with the test. */
export type JoinSockets = (...ends: Socket[]) => void;

/** Starts a server of a test that stands between two programs. Returns its port, on loopback; 0 for a socket of the file system. */
export async function startRelay(
  test: { after(end: () => void): void },
  createServer: (join: JoinSockets) => Server,
  listen: ListenOptions = { host: '127.0.0.1', port: 0 },
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((...ends) => {
    for (const end of ends) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        sockets.delete(end);
        for (const other of ends) {
          other.destroy();
        }
      });
    }
  });
  server.listen(listen);
  await once(server, 'listening');
  test.after(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** The same URL, with another port. */
export function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
