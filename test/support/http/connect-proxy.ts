import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

type Behaviour = 'connect' | 'refuse' | 'hang up' | 'silent';

/** An HTTP proxy that makes tunnels, on loopback. */
export interface ConnectProxy {
  port: number;
  /** `http://…`, with the name and password that it asks for. */
  url: string;
  /** Where a tunnel was asked for: `127.0.0.1:443`. */
  readonly asked: string[];
  /**
   * Cuts the tunnels to a target, and says what becomes of the next ones: `silent` accepts the request and never answers it.
   */
  behave(how: Behaviour, target: string): void;
  /** Ends it with every tunnel. */
  stop(): Promise<void>;
}

export const proxyPassword = 'proxy-password-5c11';

export async function startConnectProxy(test: {
  after(end: () => Promise<void>): void;
}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const behaviours = new Map<string, Behaviour>();
  const tunnels = new Map<Socket, string>();
  const expected = `Basic ${Buffer.from(`switchboard:${proxyPassword}`).toString('base64')}`;
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => {});
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = request.url ?? '';
    asked.push(target);
    const how = behaviours.get(target) ?? 'connect';
    tunnels.set(socket, target);
    socket.on('close', () => tunnels.delete(socket));
    if (how === 'refuse') {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    } else if (how === 'hang up') {
      socket.destroy();
    } else if (how === 'connect') {
      const [host = '', port = ''] = target.split(':');
      const beyond = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      sockets.add(beyond);
      beyond.on('error', () => socket.destroy());
      socket.on('close', () => beyond.destroy());
      beyond.on('close', () => socket.destroy());
      socket.pipe(beyond).pipe(socket);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = async () => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
    if (server.listening) {
      await once(server, 'close');
    }
  };
  test.after(stop);
  return {
    port,
    url: `http://switchboard:${proxyPassword}@127.0.0.1:${port}`,
    asked,
    behave(how, target) {
      behaviours.set(target, how);
      for (const [socket, to] of [...tunnels]) {
        if (to === target) {
          socket.destroy();
        }
      }
    },
    stop,
  };
}
