import { plain } from '../../block-kit/text.ts';
import { explainError } from '../errors.ts';
import type { OptionsRequest, OptionsResponse } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

/** What a searched select offers. It has no place to show an error, so after one it offers nothing. */
export function onOptions(
  { dispatch, log, authorize, trackRequest }: RequestContext,
  actionId: string,
  handle: (call: OptionsRequest) => Promise<OptionsResponse>,
): void {
  dispatch.options(actionId, ({ body, context, ack }) =>
    trackRequest('options', async () => {
      let answer: OptionsResponse = { options: [] };
      try {
        answer = await handle({ user: await authorize(context.teamId, body.user.id), query: body.value });
      } catch (error) {
        explainError(error, log);
      }
      const { options, note } = answer;
      await ack(
        note === undefined || options.length === 0
          ? { options }
          : { option_groups: [{ label: plain(note), options }] },
      );
    }),
  );
}
