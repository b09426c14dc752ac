import { readLimitNumbers, readLimitsForm } from '../../../services/limits/limits-form.ts';
import { nameLimit } from '../../block-kit/descriptions/reached-limit.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  changeNumbersAction,
  liftAction,
  limitNumbersFormOf,
  limitNumbersView,
  limitsCallback,
  limitsFormOf,
  limitsView,
  numbersCallback,
  numbersMetadata,
} from './views.ts';

/** Reached limits in the list. */
const maxListed = 10;

const saved = mrkdwn`${stateIcons.done} Saved.`;

/** *Limits* of the workspace: what refuses now, the budget, the countries, how much at once. */
export function registerLimits(router: Router, { services }: AppContext): void {
  const { limits, workspaces } = services;

  async function currentView(workspaceId: string, banner?: Markup) {
    const [current, reached, used, { country: own }] = await Promise.all([
      limits.workspace.read(workspaceId),
      limits.reachedNow(workspaceId, maxListed),
      limits.pagesUsed(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    return limitsView({ limits: current, reached, used, own }, banner);
  }

  router.action(openActions.limits, 'administer', async (call) => {
    const view = await currentView(call.user.workspaceId);
    await call.push(view);
  });

  router.submission(limitsCallback, 'administer', async ({ user, values }) => {
    const { workspaceId, userId } = user;
    const read = readLimitsForm(limitsFormOf(values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    await limits.choose({ workspaceId, userId }, read.chosen);
    return { view: await currentView(workspaceId, saved) };
  });

  // In place of the list, which shows the new numbers once they are saved.
  router.action(changeNumbersAction, 'administer', async (call) => {
    const { subject } = numbersMetadata.parse({ subject: call.value });
    await call.show(limitNumbersView(subject, await limits.workspace.read(call.user.workspaceId)));
  });

  router.submission(numbersCallback, 'administer', async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const { subject } = numbersMetadata.parse(metadata);
    const read = readLimitNumbers(subject, limitNumbersFormOf(subject, values));
    if (!read.ok) {
      return { errors: read.faults };
    }
    await limits.choose({ workspaceId, userId }, { numbers: read.chosen });
    return { view: await currentView(workspaceId, saved) };
  });

  router.action(liftAction, 'administer', async ({ user, value, view }) => {
    const { workspaceId, userId } = user;
    const lifted = await limits.lift({ workspaceId, userId }, value);
    if (lifted === undefined) {
      throw new UserError(mrkdwn`This limit is free already.`);
    }
    const banner = mrkdwn`${stateIcons.done} Lifted: ${nameLimit(lifted.reason)}.`;
    await view?.replace(await currentView(workspaceId, banner));
  });
}
