import type { Esims } from '../../services/esims.ts';
import type { Asker } from '../listening/calls.ts';
import type { Show } from '../listening/show.ts';
import { filterOf, type PlanQuestion, plansView } from './plans-view.ts';

/** Brings up the plans: at once with the filters, and once the provider has answered with what it has. */
export function plansShower(esims: Esims) {
  return async (show: Show, { workspaceId }: Asker, question: PlanQuestion): Promise<void> => {
    const replace = await show(plansView(question, 'loading'));
    await replace(plansView(question, await esims.plans(workspaceId, filterOf(question))));
  };
}
