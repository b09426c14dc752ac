import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The open connections of a server, limited in number and in the bytes of requests that have not arrived in whole. Above
 * a limit, a connection whose request is not whole is closed: a client that holds many open, or sends much, makes room
 * for the next one, so a request that arrives at once, as Slack's do, is always accepted.
 */
export interface Connections {
  /** Counts bytes of a request that is not whole yet. */
  received(socket: Socket, bytes: number): void;
  /** The request is whole: its connection is not closed until it is answered. */
  complete(socket: Socket): void;
  /** The request is answered: its connection may send another one. */
  answered(socket: Socket): void;
  /** Closes the connections whose request is not being answered, now and from now on. */
  drain(): void;
  /** Closes all connections. */
  destroy(): void;
}

export function limitConnections(
  server: Server,
  { maxConnections, maxPendingBytes }: { maxConnections: number; maxPendingBytes: number },
): Connections {
  const open = new Set<Socket>();
  /** The bytes of each request that is not whole, by connection, the longest waiting first. */
  const pending = new Map<Socket, number>();
  let pendingBytes = 0;
  let draining = false;

  function settle(socket: Socket): void {
    pendingBytes -= pending.get(socket) ?? 0;
    pending.delete(socket);
  }

  function disconnect(socket: Socket | undefined): void {
    if (socket === undefined) {
      return;
    }
    settle(socket);
    open.delete(socket);
    socket.destroy();
  }

  server.on('connection', (socket: Socket) => {
    open.add(socket);
    pending.set(socket, 0);
    socket.once('close', () => {
      settle(socket);
      open.delete(socket);
    });
    if (open.size > maxConnections) {
      disconnect(pending.keys().next().value);
    }
  });

  return {
    received(socket, bytes) {
      const before = pending.get(socket);
      if (before === undefined) {
        return;
      }
      pending.set(socket, before + bytes);
      pendingBytes += bytes;
      if (pendingBytes > maxPendingBytes) {
        const [[largest] = []] = [...pending].sort(([, one], [, other]) => other - one);
        disconnect(largest);
      }
    },
    complete: settle,
    answered(socket) {
      if (!open.has(socket)) {
        return;
      }
      if (draining) {
        socket.destroySoon();
      } else {
        pending.set(socket, 0);
      }
    },
    drain() {
      draining = true;
      for (const socket of [...pending.keys()]) {
        disconnect(socket);
      }
    },
    destroy() {
      for (const socket of [...open]) {
        disconnect(socket);
      }
    },
  };
}
