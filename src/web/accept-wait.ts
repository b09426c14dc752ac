import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Stopwatch } from '../lib/time/clock.ts';

const probeEveryMs = 100;
const maxProbes = 30;
/** Where a probe isn't accepted for as long, another program accepts for the server, and nothing is known. */
const maxProbeMs = 30_000;
/** A request that comes later after the accept was not sent when its connection was opened. */
const freshForMs = 1_000;

export interface AcceptWait {
  /**
   * Returns how many milliseconds the first request of a connection waited for its accept, or less. Returns 0 where that
   * isn't known, and for later requests.
   */
  take(socket: Socket): number;
  stop(): void;
}

/** A connection of the server to itself. */
interface Probe {
  socket: Socket;
  /** When it was established; undefined until then. */
  since: number | undefined;
}

/**
 * Measures how long connections wait to be accepted. Node accepts one per turn of the event loop, and no socket tells when
 * its client connected. So while others connect, the server connects to itself: whatever is accepted before such a probe
 * came before it, and has waited for at least as long.
 */
export function measureAcceptWait(server: Server, elapsed: Stopwatch): AcceptWait {
  const accepted = new WeakMap<Socket, { waitedMs: number; at: number }>();
  /** Those not accepted yet, the oldest first. */
  let probes: Probe[] = [];
  /** Whether a probe has come back, since the last that didn't. */
  let isTrusted = false;
  let probedAt = Number.NEGATIVE_INFINITY;

  function end(probe: Probe): void {
    probe.socket.destroy();
    probes = probes.filter((each) => each !== probe);
  }

  function begin(): void {
    const address = server.address();
    if (typeof address !== 'object' || address === null) {
      return;
    }
    const { port, family } = address;
    const isAny = address.address === '0.0.0.0' || address.address === '::';
    const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
    const socket = connect({ port, host: isAny ? loopback : address.address });
    const probe: Probe = { socket, since: undefined };
    probes.push(probe);
    socket.unref();
    socket.once('connect', () => {
      probe.since = elapsed();
    });
    socket.once('error', () => end(probe));
    // The server may close it before it is seen here, as any other.
    socket.once('close', () => end(probe));
    socket.setTimeout(maxProbeMs, () => {
      isTrusted = false;
      end(probe);
    });
  }

  server.on('connection', (socket: Socket) => {
    const { remotePort, remoteAddress } = socket;
    const ownProbe = probes.find(
      (each) =>
        remotePort !== undefined &&
        each.socket.localPort === remotePort &&
        each.socket.localAddress === remoteAddress,
    );
    if (ownProbe !== undefined) {
      isTrusted = true;
      end(ownProbe);
      socket.destroy();
      return;
    }
    const at = elapsed();
    const since = probes[0]?.since;
    if (since !== undefined && isTrusted) {
      accepted.set(socket, { waitedMs: at - since, at });
    }
    if (at - probedAt >= probeEveryMs && probes.length < maxProbes) {
      probedAt = at;
      begin();
    }
  });
  return {
    take(socket) {
      const { waitedMs, at } = accepted.get(socket) ?? { waitedMs: 0, at: 0 };
      accepted.delete(socket);
      return elapsed() - at < freshForMs ? waitedMs : 0;
    },
    stop() {
      for (const probe of probes) {
        end(probe);
      }
    },
  };
}
