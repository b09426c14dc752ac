import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the usual port if it is free, else any free one. Port 0 means any free one. */
export async function freePort(usual: number, host: string): Promise<number> {
  try {
    return await tryPort(usual, host);
  } catch {
    return await tryPort(0, host);
  }
}

async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error(`Port ${port} cannot be listened on.`);
  }
  return address.port;
}
