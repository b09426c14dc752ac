import type { Esims } from '../../../services/esims/esims.ts';
import type { Asker } from '../../middleware/calls.ts';
import type { Show } from '../../middleware/show.ts';
import { filterOf, type PlanQuestion, plansView } from './plans-view.ts';

/** Brings up the plans: at once with the filters, and once the provider has answered with what it has. */
export function plansShower(esims: Esims) {
  return async (show: Show, { workspaceId }: Asker, question: PlanQuestion): Promise<void> => {
    const replace = await show(plansView(question, 'loading'));
    await replace(plansView(question, await esims.plans(workspaceId, filterOf(question))));
  };
}
