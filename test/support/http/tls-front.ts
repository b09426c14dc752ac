import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { startRelay } from './relay.ts';
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
  const options = { ...certificate, ALPNProtocols: ['h2', 'http/1.1'] };
  const port = await startRelay(test, (join) =>
    createServer(options, (socket) => {
      const behind = connect(targetPort(), '127.0.0.1');
      join(socket, behind);
      socket.pipe(behind).pipe(socket);
    }).on('tlsClientError', () => {}),
  );
  return { port, url: `https://127.0.0.1:${port}`, certificate };
}
