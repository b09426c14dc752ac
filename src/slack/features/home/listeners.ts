import type { AppContext } from '../../middleware/app-context.ts';
import { findMissingGrant } from '../../middleware/missing-grant.ts';
import type { HomeRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { describeMissingGrant } from './missing-grant.ts';
import { homeView } from './views.ts';

/** Entries of the activity. */
const maxListed = 10;
/** Limits that refuse something; *Limits* has the others. */
const maxReached = 3;

/** The app's Home, published each time a user opens it. */
export function registerHome(router: Router, context: AppContext): void {
  const {
    services,
    outcomeRenderers,
    time,
    settings: { contacts },
  } = context;
  const { workspaces, costs, costMonths, home, history, limits, replies } = services;

  router.home('use', async ({ user, publish }: HomeRequest) => {
    const { workspaceId, userId, permissions } = user;
    const forAdmin = async () => {
      const [keyRejected, encryptionKeys, reached, budgets, lacking, withheld, repliesToPost] =
        await Promise.all([
          home.isKeyRejected(workspaceId),
          home.encryptionKeys(),
          limits.reachedNow(workspaceId, maxReached),
          limits.budgets(workspaceId),
          findMissingGrant(context, workspaceId),
          home.withheld(workspaceId),
          replies.toPost(workspaceId),
        ]);
      return {
        keyRejected,
        encryptionKeys,
        reached,
        budgets,
        missing: lacking && describeMissingGrant(lacking),
        withheld,
        repliesToPost,
      };
    };
    const scope = permissions.has('administer') ? 'everyone' : 'own';
    const [connection, balance, { total: monthCosts }, attention, recent, admin] = await Promise.all([
      workspaces.connection(workspaceId),
      costs.balance(workspaceId),
      costMonths.month({ workspaceId, userId, scope }),
      home.attention(workspaceId, userId),
      history.page({ workspaceId, userId, scope }, { limit: maxListed }),
      permissions.has('administer') ? forAdmin() : undefined,
    ]);
    const remark = restoredRemark(services.restoredAt, time.now());
    await publish(
      homeView(
        {
          user,
          remark,
          connection,
          balance,
          monthCosts,
          attention,
          activity: recent.entries,
          admin,
          contacts,
        },
        outcomeRenderers,
      ),
    );
  });
}
