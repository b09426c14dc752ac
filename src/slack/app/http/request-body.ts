import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request. Resolves with undefined as soon as it is clear that it is longer than `maxBytes`, whatever
 * length it was announced with. Rejects where the connection ends before it.
 */
export async function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return undefined;
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) {
      request.off('data', take);
      resolve(undefined);
      return;
    }
    chunks.push(chunk);
    onBytes(chunk.length);
  };
  request.on('data', take);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.complete) {
      reject(new Error('the connection ended within a request'));
    }
  });
  return promise;
}
