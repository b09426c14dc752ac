import fc from 'fast-check';
import { body, status } from './arbitrary-response.ts';
import type { Behaviour } from './raw-server.ts';

type Ending = 'well' | 'in pieces' | 'in the middle of the head' | 'in the middle of the body' | 'never';

/** A response as sent on the wire. */
export interface Arrival {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  readonly ends: Ending;
}

const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/html'),
    'retry-after': fc.constantFrom('0', '1', '-1', '99999999999', 'soon', 'Wed, 21 Oct 2037 07:28:00 GMT'),
    location: fc.constantFrom('/', '//', '', 'http://127.0.0.1:1/'),
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
    connection: fc.constantFrom('close', 'keep-alive'),
  },
  { requiredKeys: [] },
);

/** How the body's length is declared; `wrong` declares a different one. */
const framing = fc.constantFrom('length', 'length', 'chunks', 'close', 'wrong');

export const arrival: fc.Arbitrary<Arrival> = fc
  .record({
    status: fc.oneof({ weight: 4, arbitrary: status }, fc.constantFrom(100, 101, 103, 205, 304)),
    headers,
    body,
    framing,
    ends: fc.oneof(
      { weight: 8, arbitrary: fc.constant('well') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('in pieces', 'in the middle of the head', 'in the middle of the body'),
      },
      { weight: 1, arbitrary: fc.constant('never') },
    ),
  })
  .map(({ status, headers, body, framing, ends }) => ({
    status,
    ends,
    head: [
      `HTTP/1.1 ${status} Whatever`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...linesOf(framing, body),
      '\r\n',
    ].join('\r\n'),
    body: framing === 'chunks' ? chunked(body) : body,
  }));

function linesOf(framing: string, { length }: Buffer): string[] {
  if (framing === 'length') {
    return [`content-length: ${length}`];
  }
  if (framing === 'chunks') {
    return ['transfer-encoding: chunked'];
  }
  return framing === 'close' ? ['connection: close'] : [`content-length: ${Math.floor(length / 2)}`];
}

function chunked(body: Buffer): Buffer {
  const size = body.length === 0 ? '' : `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
  return Buffer.from(`${size}0\r\n\r\n`, 'latin1');
}

/** Sends the response. Calls `onStalled` once the sent part of an endless one is written. */
export function arriving({ status, head, body, ends }: Arrival, onStalled: () => void): Behaviour {
  const all = Buffer.concat([Buffer.from(head, 'latin1'), body]);
  const inHead = Math.floor(head.length / 2);
  const inBody = head.length + Math.floor(body.length / 2);
  return (socket) => {
    switch (ends) {
      case 'well':
        // A body without a declared length ends with the connection; nothing follows an interim response.
        if (status < 200 || /^connection: close/m.test(head)) {
          socket.end(all);
        } else {
          socket.write(all);
        }
        break;
      case 'in pieces':
        socket.write(all.subarray(0, inHead), () =>
          socket.write(all.subarray(inHead, inBody), () => socket.end(all.subarray(inBody))),
        );
        break;
      case 'in the middle of the head':
        socket.end(all.subarray(0, inHead));
        break;
      case 'in the middle of the body':
        socket.end(all.subarray(0, inBody));
        break;
      case 'never':
        socket.write(all.subarray(0, inBody), onStalled);
    }
  };
}
