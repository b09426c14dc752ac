import type { Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { listenToLooking } from './looking-listeners.ts';
import { listenToOrdering } from './order-listeners.ts';

/** Everything of `/esim`. */
export function listenToEsims(listening: Listening, tools: Tools): void {
  listenToLooking(listening, tools);
  listenToOrdering(listening, tools);
}
