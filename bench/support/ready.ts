import type { AddressInfo } from 'node:net';

/** Says where a program of the benchmark listens, and lets it end in peace, so that a CPU profile of it is written. */
export function sayReady(server: { address(): AddressInfo | string | null }): void {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server does not listen on a port.');
  }
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
}
