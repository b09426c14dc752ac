import type { HomeView } from '@slack/types';
import { section } from '../block-kit/build.ts';
import type { HomeCall } from './calls.ts';
import type { Reception } from './reception.ts';

/** The app's Home, opened by a person. Slack: app_home_opened. */
export function onHome(
  { app, admit, take, tellTrouble }: Reception,
  handle: (call: HomeCall) => Promise<void>,
): void {
  app.event('app_home_opened', ({ event, context, client }) =>
    take('home', async () => {
      if (event.tab !== 'home') {
        return;
      }
      const publish = async (view: HomeView) => {
        await client.views.publish({ user_id: event.user, view });
      };
      try {
        await handle({ asker: await admit(context.teamId, event.user), publish });
      } catch (error) {
        await tellTrouble(error, (text) => publish({ type: 'home', blocks: [section(text)] }));
      }
    }),
  );
}
