import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection to a server on loopback and writes these bytes, HTTP or not. */
export async function openRaw(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // Errors are expected: the test examines what the server does to the connection.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  return socket;
}

/** Everything received until the server closes the connection. */
export async function answerOn(socket: Socket): Promise<string> {
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  if (!socket.closed) {
    await new Promise((resolve) => socket.once('close', resolve));
  }
  return answer;
}

/** The status of the first response; `undefined` where the connection was closed without one. */
export function statusOf(answer: string): number | undefined {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Request lines without a valid or a served path. None of them gets a 200. */
export const oddRequestLines: readonly string[] = [
  'GET // HTTP/1.1',
  'GET /\\ HTTP/1.1',
  'GET //% HTTP/1.1',
  'GET http://[ HTTP/1.1',
  'GET http://:99999/ HTTP/1.1',
  'GET /%ff%00/../..//etc/passwd HTTP/1.1',
  `GET /${'a'.repeat(10_000)} HTTP/1.1`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1`,
  'OPTIONS * HTTP/1.1',
  'CONNECT example.com:443 HTTP/1.1',
  'CONNECT // HTTP/1.1',
  'TRACE / HTTP/1.1',
  'PROPFIND // HTTP/1.1',
  'GET  HTTP/1.1',
  'GET /healthz HTTP/9.9',
  'nonsense',
  '\0\x01\x02\xff',
];
