import type { Permission } from '../../../domain/access/roles.ts';
import { plain } from '../../block-kit/text.ts';
import { explainError } from '../errors.ts';
import type { OptionsRequest, OptionsResponse } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

/** The options of a searched select. It has nowhere to show an error, so it offers none after one. */
export function onOptions(
  { dispatch, log, admit, trackRequest }: RequestContext,
  actionId: string,
  needed: Permission,
  handle: (request: OptionsRequest) => Promise<OptionsResponse>,
): void {
  dispatch.options(actionId, ({ body, context, ack }) =>
    trackRequest('options', async () => {
      let response: OptionsResponse = { options: [] };
      try {
        const user = await admit(context.teamId, body.user.id, needed);
        response = await handle({ user, query: body.value });
      } catch (error) {
        explainError(error, log);
      }
      const { options, note } = response;
      await ack(
        note === undefined || options.length === 0
          ? { options }
          : { option_groups: [{ label: plain(note), options }] },
      );
    }),
  );
}
