import type { HistoryReader } from '../../../services/history/history.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { HomeRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { homeView, type Task } from './views.ts';

/** Operations in each list. */
const maxListed = 10;

/** The buttons of the Home, in this order. The feature that is opened handles each. */
const tasks: readonly Task[] = [
  { actionId: openActions.messageForm, title: 'Send an SMS' },
  { actionId: openActions.campaignForm, title: 'Send to many' },
  { actionId: openActions.otpForm, title: 'Send a one-time code' },
  { actionId: openActions.dndCheckForm, title: 'Check Do-Not-Disturb' },
  { actionId: openActions.numberForm, title: 'Look up a number' },
  { actionId: openActions.senderIds, title: 'See sender IDs' },
  { actionId: openActions.esimPlans, title: 'Get an eSIM' },
  { actionId: openActions.esimStatus, title: 'See an eSIM’s status' },
  { actionId: openActions.contacts, title: 'See contacts' },
  { actionId: openActions.campaigns, title: 'See campaigns' },
  { actionId: openActions.suppressionList, title: 'Do-not-contact list' },
];

/** The app's Home, published each time a user opens it. */
export function registerHome(router: Router, { services, outcomeRenderers, clock }: AppContext): void {
  const { workspaces, operations, history } = services;

  router.home(async ({ user, publish }: HomeRequest) => {
    const { workspaceId, userId, role } = user;
    const isAdmin = role === 'admin';
    const last = async (whose: HistoryReader['scope']) =>
      (await history.page({ workspaceId, userId, scope: whose }, { limit: maxListed })).entries;
    const [connection, balance, own, everyones] = await Promise.all([
      workspaces.connection(workspaceId),
      operations.balance(workspaceId),
      last('own'),
      isAdmin ? last('everyone') : [],
    ]);
    const remark = restoredRemark(services.restoredAt, clock());
    await publish(
      homeView({ remark, isAdmin, connection, balance, tasks, own, everyones }, outcomeRenderers),
    );
  });
}
