import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { registerEsimBrowsing } from './browse-listeners.ts';
import { registerEsimOrders } from './order-listeners.ts';

/** Everything of `/esim`. */
export function registerEsims(router: Router, context: AppContext): void {
  registerEsimBrowsing(router, context);
  registerEsimOrders(router, context);
}
