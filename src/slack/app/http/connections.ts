import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The open connections of a server, bounded in their number and in the bytes of requests that have not arrived in whole.
 * Over a bound a connection is cut off whose request is not whole: a stranger who holds many open, or sends much, makes
 * room for the next one, so a request that arrives at once, as Slack's do, always gets in.
 */
export interface Connections {
  /** Counts bytes of a request that is not whole yet. */
  received(socket: Socket, bytes: number): void;
  /** The request is whole: until it is answered, its connection is not cut off. */
  complete(socket: Socket): void;
  /** The request is answered: its connection may bring another one. */
  answered(socket: Socket): void;
  /** Cuts off what is not being answered, now and from now on. */
  drain(): void;
  /** Cuts off all. */
  destroy(): void;
}

export function boundConnections(
  server: Server,
  { maxConnections, maxPendingBytes }: { maxConnections: number; maxPendingBytes: number },
): Connections {
  const open = new Set<Socket>();
  /** The bytes of each request that is not whole, by its connection; the longest waiting comes first. */
  const pending = new Map<Socket, number>();
  let pendingBytes = 0;
  let draining = false;

  function settle(socket: Socket): void {
    pendingBytes -= pending.get(socket) ?? 0;
    pending.delete(socket);
  }

  function cutOff(socket: Socket | undefined): void {
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
      cutOff(pending.keys().next().value);
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
        cutOff(largest);
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
        cutOff(socket);
      }
    },
    destroy() {
      for (const socket of [...open]) {
        cutOff(socket);
      }
    },
  };
}
