import type { HistoryReader } from '../../../services/history/history.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { HomeRequest, Router } from '../../middleware/requests.ts';
import { openBulkAction, openCampaignsAction } from '../../navigation/campaigns.ts';
import { openContactsAction } from '../../navigation/contacts.ts';
import { esimActions } from '../../navigation/esims.ts';
import { openDoNotContactAction } from '../../navigation/suppression-list.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { openComposeAction } from '../messages/compose-view.ts';
import { openCheckAction } from '../numbers/dnd-check/views.ts';
import { openNumberAction } from '../numbers/form-view.ts';
import { openCodeAction } from '../otp/compose-view.ts';
import { openListAction } from '../sender-ids/views.ts';
import { homeView, type Task } from './views.ts';

const shown = 10;

/** What can be begun from the Home, in this order. Each feature listens to its own. */
const tasks: readonly Task[] = [
  { actionId: openComposeAction, title: 'Send an SMS' },
  { actionId: openBulkAction, title: 'Send to many' },
  { actionId: openCodeAction, title: 'Send a one-time code' },
  { actionId: openCheckAction, title: 'Check Do-Not-Disturb' },
  { actionId: openNumberAction, title: 'Look up a number' },
  { actionId: openListAction, title: 'See sender IDs' },
  { actionId: esimActions.openPlans, title: 'Get an eSIM' },
  { actionId: esimActions.openStatus, title: 'See an eSIM’s status' },
  { actionId: openContactsAction, title: 'See contacts' },
  { actionId: openCampaignsAction, title: 'See campaigns' },
  { actionId: openDoNotContactAction, title: 'Do-not-contact list' },
];

/** The app's Home: made anew each time a person opens it. */
export function registerHome(router: Router, { services, outcomeRenderers, clock }: AppContext): void {
  const { workspaces, operations, history } = services;

  router.home(async ({ user, publish }: HomeRequest) => {
    const { workspaceId, userId, role } = user;
    const isAdmin = role === 'admin';
    const last = async (whose: HistoryReader['scope']) =>
      (await history.page({ workspaceId, userId, scope: whose }, { limit: shown })).entries;
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
