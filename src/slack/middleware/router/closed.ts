import { StoreError } from '../../../store/errors.ts';
import type { ClosedRequest } from '../requests.ts';
import { type RequestContext, readMetadata } from './request-context.ts';

/**
 * A modal closed by its person. Slack: view_closed. Acknowledged once it is dealt with: nobody waits for the answer.
 * Who the person is in the workspace is not asked, so that no answer of Slack's stands in the way of a *Cancel*: that
 * ends only what is their own.
 */
export function onClosed(
  { dispatch, log, trackRequest }: RequestContext,
  callbackId: string,
  handle: (call: ClosedRequest) => Promise<void>,
): void {
  dispatch.closed(callbackId, ({ view, body, context, ack }) =>
    trackRequest('closed', async () => {
      try {
        if (context.teamId === undefined) {
          throw new Error('Slack did not say in which workspace.');
        }
        await handle({
          user: { workspaceId: context.teamId, userId: body.user.id },
          metadata: readMetadata(view.private_metadata),
        });
      } catch (error) {
        // What was open before the data was restored is void as it is.
        if (!(error instanceof StoreError) || error.fault !== 'outdated') {
          log.error({ err: error, callbackId }, 'what a person cancelled could not be ended');
        }
      }
      await ack();
    }),
  );
}
