import type { HomeView } from '@slack/types';
import { section } from '../../block-kit/build.ts';
import type { HomeRequest } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

/** The app's Home, opened by a person. Slack: app_home_opened. */
export function onHome(
  { app, authorize, trackRequest, reportError }: RequestContext,
  handle: (call: HomeRequest) => Promise<void>,
): void {
  app.event('app_home_opened', ({ event, context, client }) =>
    trackRequest('home', async () => {
      if (event.tab !== 'home') {
        return;
      }
      const publish = async (view: HomeView) => {
        await client.views.publish({ user_id: event.user, view });
      };
      try {
        await handle({ user: await authorize(context.teamId, event.user), publish });
      } catch (error) {
        await reportError(error, (text) => publish({ type: 'home', blocks: [section(text)] }));
      }
    }),
  );
}
