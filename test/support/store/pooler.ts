import { connect, createServer, type Socket } from 'node:net';
import { type JoinSockets, startRelay, withPort } from '../http/relay.ts';

/** What PgBouncer takes at the start of a session. */
const known = ['user', 'database', 'application_name', 'client_encoding', 'replication'];

/** A server process that a client has logged in to, or that the pooler deals out. */
interface Backend {
  socket: Socket;
  isIdle: boolean;
}

/**
 * Starts a connection pooler before PostgreSQL, on loopback, and returns the database's URL by it. As PgBouncer does where it
 * is installed, it refuses the start-up parameters that it does not know. In session mode a client keeps its server process
 * until it leaves; in transaction mode it gets one for each transaction.
 *
 * @param size how many server processes it has in session mode: more clients log in, and wait for good
 */
export async function startPooler(
  test: { after(end: () => void): void },
  database: string,
  mode: 'session' | 'transaction',
  size = Number.POSITIVE_INFINITY,
): Promise<string> {
  const target = new URL(database);
  const backends: Backend[] = [];
  let sessions = 0;
  const toServer = () => connect(Number(target.port), target.hostname);

  /** Logs in with the password of the URL. Resolves when the server is ready. */
  async function logIn(join: JoinSockets): Promise<Backend> {
    const socket = toServer();
    join(socket);
    const user = decodeURIComponent(target.username);
    socket.write(startup({ user, database: target.pathname.slice(1), client_encoding: 'UTF8' }));
    await new Promise<void>((ready) => {
      const read = framed(false, (type, message) => {
        if (type === 'R' && message.readInt32BE(5) === 3) {
          socket.write(messageOf('p', `${decodeURIComponent(target.password)}\0`));
        } else if (type === 'Z') {
          socket.removeAllListeners('data');
          ready();
        }
      });
      socket.on('data', read);
    });
    const backend = { socket, isIdle: true };
    backends.push(backend);
    return backend;
  }

  function serveTransactions(client: Socket, join: JoinSockets): void {
    let own: Backend | undefined;
    /** How many times the server has to say that it is ready. */
    let awaited = 0;
    let taking: Promise<void> = Promise.resolve();
    client.write(messageOf('R', Buffer.alloc(4)));
    client.write(messageOf('Z', 'I'));
    const read = framed(false, (type, message) => {
      if (type === 'X') {
        client.end();
        return;
      }
      awaited += Number(type === 'Q' || type === 'S');
      taking = taking.then(async () => {
        if (own === undefined) {
          own = backends.findLast(({ isIdle }) => isIdle) ?? (await logIn(join));
          own.isIdle = false;
          own.socket.on(
            'data',
            framed(false, (answer, bytes) => {
              client.write(bytes);
              awaited -= Number(answer === 'Z');
              if (answer === 'Z' && awaited === 0 && bytes.at(5) === 'I'.charCodeAt(0) && own !== undefined) {
                own.socket.removeAllListeners('data');
                own.isIdle = true;
                own = undefined;
              }
            }),
          );
        }
        own.socket.write(message);
      });
    });
    client.on('data', read);
  }

  const port = await startRelay(test, (join) =>
    createServer((client) => {
      const onFirst = framed(true, (_type, message) => {
        if (message.readInt32BE(4) === sslRequest) {
          client.write('N');
          return;
        }
        const names = message
          .toString('utf8', 8)
          .split('\0')
          .filter((_, index) => index % 2 === 0);
        const strange = names.find((name) => name !== '' && !known.includes(name));
        if (strange !== undefined) {
          const text = `unsupported startup parameter: ${strange}`;
          client.end(messageOf('E', `SFATAL\0VFATAL\0C08P01\0M${text}\0\0`));
          return;
        }
        client.removeAllListeners('data');
        if (mode === 'transaction') {
          join(client);
          serveTransactions(client, join);
          return;
        }
        if (sessions >= size) {
          join(client);
          client.write(messageOf('R', Buffer.alloc(4)));
          client.write(messageOf('Z', 'I'));
          return;
        }
        sessions += 1;
        client.once('close', () => {
          sessions -= 1;
        });
        const backend = toServer();
        join(client, backend);
        backend.write(message);
        client.pipe(backend).pipe(client);
      });
      client.on('data', onFirst);
    }),
  );
  return withPort(database, port);
}

const sslRequest = 80_877_103;
const protocol = 196_608;

function messageOf(type: string, content: string | Buffer): Buffer {
  const body = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.from(`${Object.entries(parameters).flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8);
  head.writeInt32BE(protocol, 4);
  return Buffer.concat([head, body]);
}

/** Returns what cuts a stream into the messages of the protocol. The first ones of a client have no type. */
function framed(
  isStart: boolean,
  onMessage: (type: string, message: Buffer) => void,
): (piece: Buffer) => void {
  const typeLength = isStart ? 0 : 1;
  let buffered = Buffer.alloc(0);
  return (piece) => {
    buffered = Buffer.concat([buffered, piece]);
    while (buffered.length >= typeLength + 4) {
      const length = typeLength + buffered.readInt32BE(typeLength);
      if (buffered.length < length) {
        return;
      }
      const message = buffered.subarray(0, length);
      buffered = buffered.subarray(length);
      onMessage(message.toString('latin1', 0, typeLength), message);
    }
  };
}
