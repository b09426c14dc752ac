import type { HomeView } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { section } from '../../block-kit/build.ts';
import type { HomeRequest } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

/** A user opens the app's Home. Slack: app_home_opened. */
export function onHome(
  { app, clients, authorize, trackRequest, reportError }: RequestContext,
  needed: Permission,
  handle: (request: HomeRequest) => Promise<void>,
): void {
  app.event('app_home_opened', ({ event, context }) =>
    trackRequest('home', async () => {
      if (event.tab !== 'home') {
        return;
      }
      const publish = async (view: HomeView) => {
        const client = await clients.for(context.teamId ?? '');
        await client.views.publish({ user_id: event.user, view });
      };
      try {
        await handle({ user: await authorize(context.teamId, event.user, needed), publish });
      } catch (error) {
        await reportError(error, (text) => publish({ type: 'home', blocks: [section(text)] }), {
          workspaceId: context.teamId,
          userId: event.user,
        });
      }
    }),
  );
}
