import type { AddressInfo } from 'node:net';

/** Writes the port that a benchmark's program listens on, and has it exit on SIGTERM so that its CPU profile is written. */
export function announcePort(server: { address(): AddressInfo | string | null }): void {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server does not listen on a port.');
  }
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
}
