import { plain } from '../block-kit/text.ts';
import type { OptionsAnswer, OptionsCall } from './calls.ts';
import { explain } from './errors.ts';
import type { Reception } from './reception.ts';

/** What a searched select offers. It has no place to show an error, so after one it offers nothing. */
export function onOptions(
  { dispatch, log, admit, take }: Reception,
  actionId: string,
  handle: (call: OptionsCall) => Promise<OptionsAnswer>,
): void {
  dispatch.options(actionId, ({ body, context, ack }) =>
    take('options', async () => {
      let answer: OptionsAnswer = { options: [] };
      try {
        answer = await handle({ asker: await admit(context.teamId, body.user.id), query: body.value });
      } catch (error) {
        explain(error, log);
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
