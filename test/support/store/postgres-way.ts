import { connect, createServer, type ListenOptions, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startRelay } from '../http/relay.ts';
import type { Certificate } from '../http/self-signed-certificate.ts';

/**
 * Leads to a PostgreSQL on this machine by another address, or by TLS, which PostgreSQL begins after a request or, with
 * `sslnegotiation=direct`, at once. Returns the port; 0 for a socket.
 */
export async function startPostgresWay(
  test: { after(end: () => void): void },
  target: number,
  { listen, certificate }: { listen?: ListenOptions; certificate?: Certificate },
): Promise<number> {
  return startRelay(
    test,
    (join) => {
      const lead = (near: Socket) => {
        const far = connect(target, '127.0.0.1');
        join(near, far);
        near.pipe(far).pipe(near);
      };
      const tls =
        certificate &&
        createTlsServer({ ...certificate, ALPNProtocols: ['postgresql'] }, lead).on(
          'tlsClientError',
          () => {},
        );
      return createServer((socket) => {
        if (tls === undefined) {
          lead(socket);
          return;
        }
        socket.on('error', () => {});
        socket.once('data', (first) => {
          socket.pause();
          if (first[0] === clientHello) {
            socket.unshift(first);
          } else {
            socket.write('S');
          }
          tls.emit('connection', socket);
        });
      });
    },
    listen,
  );
}

/** The first byte of TLS. */
const clientHello = 0x16;
