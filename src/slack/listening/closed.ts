import { explain } from '../errors.ts';
import type { ClosedCall } from './calls.ts';
import { type Reception, readMetadata } from './reception.ts';

/** A modal closed by its person. Slack: view_closed. Acknowledged once it is dealt with: nobody waits for the answer. */
export function onClosed(
  { dispatch, log, admit, take }: Reception,
  callbackId: string,
  handle: (call: ClosedCall) => Promise<void>,
): void {
  dispatch.closed(callbackId, ({ view, body, context, ack }) =>
    take('closed', async () => {
      try {
        await handle({
          asker: await admit(context.teamId, body.user.id),
          metadata: readMetadata(view.private_metadata),
        });
      } catch (error) {
        explain(error, log);
      }
      await ack();
    }),
  );
}
