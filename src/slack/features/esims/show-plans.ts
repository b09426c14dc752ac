import type { EsimService } from '../../../services/esims/esims.ts';
import type { ShowModal } from '../../middleware/open-modal.ts';
import type { User } from '../../middleware/requests.ts';
import { filterOf, type PlanQuestion, plansView } from './plans-view.ts';

/** Brings up the plans: at once with the filters, and once the provider has answered with what it has. */
export function plansShower(esims: EsimService) {
  return async (show: ShowModal, { workspaceId }: User, question: PlanQuestion): Promise<void> => {
    const replace = await show(plansView(question, 'loading'));
    await replace(plansView(question, await esims.plans(workspaceId, filterOf(question))));
  };
}
