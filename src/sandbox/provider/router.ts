import { checkDnd } from './insight.ts';
import { sendMessage } from './messages.ts';
import type { Operation } from './operation.ts';
import { Refusal } from './refusals.ts';
import { type Reply, refusalReply } from './replies.ts';
import type { Arrival } from './requests.ts';
import { listSenderIds } from './sender-ids.ts';
import type { State } from './state.ts';

const operations: readonly Operation[] = [sendMessage, checkDnd, listSenderIds];

/** Decides what becomes of a request, and carries it out. */
export function replyTo(arrival: Arrival, state: State, now: Date): Reply {
  try {
    return find(arrival).reply(arrival, state, now);
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, arrival.path);
    throw error;
  }
}

function find({ method, path }: Arrival): Operation {
  const here = operations.filter((operation) => operation.path === path);
  const found = here.find((operation) => operation.method === method);
  if (found) return found;
  if (here.length === 0) throw new Refusal(404, `No such path: ${path}`);
  const allowed = here.map((operation) => operation.method).join(', ');
  throw new Refusal(405, `${method} is not allowed here`, { allow: allowed });
}
