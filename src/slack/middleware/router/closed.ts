import { StoreError } from '../../../store/errors.ts';
import type { ClosedRequest } from '../requests.ts';
import type { RequestContext } from './request-context.ts';
import { readMetadata } from './views.ts';

/**
 * A user closes a modal. Slack: view_closed. Acknowledged at the end, as nobody waits for the answer. The user is not
 * authorized, so that no failure of Slack's keeps a *Cancel* from working: it ends only what is the user's own.
 */
export function onClosed(
  { dispatch, log, trackRequest }: RequestContext,
  callbackId: string,
  handle: (request: ClosedRequest) => Promise<void>,
): void {
  dispatch.closed(callbackId, ({ view, body, context, ack }) =>
    trackRequest('closed', async () => {
      try {
        if (context.teamId === undefined) {
          throw new Error('Slack did not say in which workspace');
        }
        await handle({
          user: { workspaceId: context.teamId, userId: body.user.id },
          metadata: readMetadata(view.private_metadata),
        });
      } catch (error) {
        // What was open before the data was restored is void already.
        if (!(error instanceof StoreError) || error.fault !== 'outdated') {
          log.error({ err: error, callbackId }, 'what a user cancelled could not be ended');
        }
      }
      await ack();
    }),
  );
}
