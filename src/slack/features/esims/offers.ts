import { readIccid } from '../../../domain/esims/iccid.ts';
import { unreadableNote } from '../../../services/workspaces/account-list-cache.ts';
import { present, section } from '../../block-kit/build.ts';
import { brief, clampText, limits } from '../../block-kit/limits.ts';
import { message } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { ToolContent, Viewer } from '../../navigation/navigation.ts';
import { readPlanText } from './listeners.ts';
import { maxPlansShown, planBlocks, planLines } from './plans.ts';

/** The plans of a country, and the message from which one is ordered. */
export function createPlanOffers(app: AppContext): Pick<ToolContent, 'listPlans' | 'orderDraft'> {
  async function find({ workspaceId }: Viewer, text: string) {
    const read = readPlanText(text);
    if (read.kind === 'unknown') {
      throw new UserError(mrkdwn`There is no country called “${brief(read.country)}”.`);
    }
    const { country, type } = read;
    const page = await app.services.esims.plans(workspaceId, { country, type, page: 0 });
    return { country, ...page };
  }

  return {
    async listPlans(viewer, text) {
      const { plans, unreadable } = await find(viewer, text);
      const leftOut = unreadableNote(unreadable.length);
      return [
        ...present(plans.length === 0 && leftOut === undefined && section(mrkdwn`No plans.`)),
        ...plans
          .slice(0, maxPlansShown)
          .map((plan) =>
            section(mrkdwn`${planLines(plan)}\nid \`${clampText(plan.productId, limits.listText)}\``),
          ),
        ...present(leftOut !== undefined && section(mrkdwn`${leftOut}.`)),
      ];
    },

    async orderDraft(viewer, { country: text, plan: named, iccid }) {
      await app.services.esimOrders.requirePurchases(viewer.workspaceId);
      const read = iccid === undefined ? undefined : readIccid(iccid);
      if (read?.ok === false) {
        throw new UserError(mrkdwn`${read.reason}`);
      }
      const { plans, country } = await find(viewer, text);
      const name = named.trim().toLowerCase();
      const [plan, other] = plans.filter((each) =>
        [each.productId, each.name].some((own) => own.toLowerCase() === name),
      );
      if (plan === undefined || other !== undefined) {
        const why =
          other === undefined
            ? 'No plan on sale has this id or name.'
            : 'Several plans have this name: use the plan’s id.';
        throw new UserError(mrkdwn`${why} Nothing was drafted.`);
      }
      const use =
        read === undefined ? { intent: 'create' as const } : { intent: 'top_up' as const, iccid: read.iccid };
      const title = mrkdwn`*An eSIM order for you to confirm.* Nothing is bought until you confirm.`;
      return message(title, [section(title), ...planBlocks(plan, 0, { use, country })]);
    },
  };
}
