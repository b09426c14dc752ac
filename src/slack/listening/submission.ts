import type { ModalView } from '@slack/types';
import { troubleView } from '../errors.ts';
import { readValues } from '../values.ts';
import type { SubmissionAnswer, SubmissionCall } from './calls.ts';
import { closedIsFine, type Reception, readMetadata } from './reception.ts';
import { soonFromNow } from './soon.ts';

/** A submitted modal: answered at once with errors beside its fields or with the next view, and then worked on. */
export function onSubmission(
  { dispatch, admit, take, arrive, tellTrouble }: Reception,
  callbackId: string,
  handle: (call: SubmissionCall) => Promise<SubmissionAnswer>,
): void {
  dispatch.submission(callbackId, ({ view, body, context, ack, client }) =>
    take('submission', async () => {
      const soon = soonFromNow();
      arrive(view.id);
      const show = (content: ModalView) =>
        closedIsFine(client.views.update({ view_id: view.id, view: content }));
      let answered = false;
      try {
        const answer = await handle({
          asker: await admit(context.teamId, body.user.id),
          viewId: view.id,
          values: readValues(view.state.values),
          metadata: readMetadata(view.private_metadata),
          soon,
        });
        answered = true;
        if ('errors' in answer) {
          await ack({ response_action: 'errors', errors: answer.errors });
          return;
        }
        await ack({ response_action: 'update', view: answer.view });
        const last = await answer.afterwards?.(show);
        if (last !== undefined) {
          await show(last);
        }
      } catch (error) {
        await tellTrouble(error, (text) =>
          answered ? show(troubleView(text)) : ack({ response_action: 'update', view: troubleView(text) }),
        );
      }
    }),
  );
}
