import { once } from 'node:events';
import { createServer } from 'node:http';

/** A span as it arrived. Ids are in hexadecimal. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first of its trace. */
  parentId: string;
  attributes: Record<string, string>;
}

/** A collector of traces that speaks OTLP over HTTP, on loopback. */
export interface Collector {
  url: string;
  readonly spans: CollectedSpan[];
  /** Everything that arrived, as it was on the wire. */
  received(): Buffer;
  /** The headers of what arrived. */
  readonly paths: (string | undefined)[];
}

export async function startCollector(test: { after(end: () => void): void }): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    paths.push(request.url);
    const body = Buffer.concat(await Array.fromAsync(request));
    bodies.push(body);
    spans.push(...spansIn(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, spans, received: () => Buffer.concat(bodies), paths };
}

/*
 * As much of protobuf's encoding as opentelemetry/proto/collector/trace/v1/trace_service.proto needs: the numbers below are
 * those of its fields.
 */

type Fields = Map<number, (Buffer | bigint)[]>;

function spansIn(request: Buffer): CollectedSpan[] {
  const scopes = messages(fieldsOf(request), 1).flatMap((resource) => messages(resource, 2));
  return scopes
    .flatMap((scope) => messages(scope, 2))
    .map((span) => ({
      traceId: bytes(span, 1).toString('hex'),
      spanId: bytes(span, 2).toString('hex'),
      parentId: bytes(span, 4).toString('hex'),
      name: bytes(span, 5).toString(),
      attributes: Object.fromEntries(
        messages(span, 9).map((pair) => [bytes(pair, 1).toString(), textOf(fieldsOf(bytes(pair, 2)))]),
      ),
    }));
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).filter((value) => Buffer.isBuffer(value)).map(fieldsOf);
}

function bytes(fields: Fields, number: number): Buffer {
  const value = fields.get(number)?.[0];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function textOf(value: Fields): string {
  const [first = ''] = [...value.values()].flat();
  return String(first);
}

function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const readNumber = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readNumber();
    const [number, type] = [Number(tag >> 3n), Number(tag & 7n)];
    const value = type === 0 ? readNumber() : take(type === 2 ? Number(readNumber()) : type === 1 ? 8 : 4);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}
