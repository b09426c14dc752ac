import type { Router } from '../../middleware/calls.ts';
import type { AppContext } from '../../middleware/context.ts';
import { registerEsimBrowsing } from './looking-listeners.ts';
import { registerEsimOrders } from './order-listeners.ts';

/** Everything of `/esim`. */
export function registerEsims(router: Router, context: AppContext): void {
  registerEsimBrowsing(router, context);
  registerEsimOrders(router, context);
}
