import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

interface TakenRequest {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Another system that reports are passed on to. */
export interface ForwardTarget {
  /** On this machine. */
  url: string;
  taken: TakenRequest[];
  /** Resolves once this many requests have come. */
  has(count: number): Promise<void>;
}

/** @param answer returns the status for each request; undefined leaves it without an answer */
export async function startForwardTarget(
  test: { after(end: () => Promise<void>): void },
  answer: () => number | undefined = () => 204,
): Promise<ForwardTarget> {
  const taken: TakenRequest[] = [];
  let came = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      taken.push({ method, path, headers, body: Buffer.concat(chunks) });
      const status = answer();
      if (status !== undefined) {
        response.writeHead(status).end();
      }
      came.resolve();
      came = Promise.withResolvers();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook?of=reports`,
    taken,
    async has(count) {
      while (taken.length < count) {
        await came.promise;
      }
    },
  };
}
