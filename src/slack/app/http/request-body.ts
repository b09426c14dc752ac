import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of a request. Resolves with undefined as soon as the body proves longer than `maxBytes`, whatever its
 * announced length. Rejects if the connection ends before the body.
 *
 * @param onBytes called with the length of each chunk
 */
export async function readBoundedBody(
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
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) {
      request.off('data', onData);
      resolve(undefined);
      return;
    }
    chunks.push(chunk);
    onBytes(chunk.length);
  };
  request.on('data', onData);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => {
    if (!request.complete) {
      reject(new Error('the connection ended within a request'));
    }
  });
  return promise;
}
