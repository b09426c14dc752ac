import { z } from 'zod';
import type { CostReader } from '../../../services/costs/cost-months.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { costsView, monthAction } from './months-view.ts';

const monthSchema = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

/** *Costs*: by month, person and sender. An admin sees those of everyone, as in the history. */
export function registerCostMonths(router: Router, { services }: AppContext): void {
  const { costMonths } = services;

  async function viewOf({ workspaceId, userId, permissions }: User, month?: string) {
    const isEveryones = permissions.has('administer');
    const reader: CostReader = { workspaceId, userId, scope: isEveryones ? 'everyone' : 'own' };
    const [shown, months] = await Promise.all([costMonths.month(reader, month), costMonths.months(reader)]);
    return costsView({ shown, months, isEveryones });
  }

  router.action(openActions.costs, 'use', async (call) => {
    await call.push(await viewOf(call.user));
  });

  router.action(monthAction, 'use', async ({ user, value, view }) => {
    await view?.replace(await viewOf(user, monthSchema.parse(value)));
  });
}
