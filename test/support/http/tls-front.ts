import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { type Certificate, selfSigned } from './self-signed-certificate.ts';

/** Speaks TLS for a server on this machine that does not. A client that offers HTTP/2 is taken at its word, and fails. */
export interface TlsFront {
  port: number;
  /** `https://127.0.0.1:…` */
  url: string;
  certificate: Certificate;
}

export async function startTlsFront(
  test: { after(end: () => void): void },
  targetPort: () => number,
  certificate = selfSigned(),
): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const options = { ...certificate, ALPNProtocols: ['h2', 'http/1.1'] };
  const server = createServer(options, (socket) => {
    const behind = connect(targetPort(), '127.0.0.1');
    for (const end of [socket, behind]) {
      sockets.add(end);
      end.on('error', () => {
        socket.destroy();
        behind.destroy();
      });
    }
    socket.pipe(behind).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, url: `https://127.0.0.1:${port}`, certificate };
}
