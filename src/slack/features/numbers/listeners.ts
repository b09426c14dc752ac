import { readDestination } from '../../block-kit/inputs/destination-input.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/not-connected.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerNumberCard } from './card-listeners.ts';
import { cardMessage, numberCardView } from './card-view.ts';
import { numberHelp, readNumberCommand, readNumberQuery, splitNumberCommand } from './command.ts';
import { correctionMessage } from './correction.ts';
import {
  editNumberAction,
  lookingUpMessage,
  lookingUpView,
  numberCallback,
  numberDestinationAction,
  numberFormView,
  numberMetadata,
} from './form-view.ts';
import { createLookups } from './look-up.ts';

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function registerNumber(router: Router, context: AppContext): void {
  const {
    services,
    settings: { commandPrefix },
  } = context;
  const { workspaces } = services;
  const lookups = createLookups(context);
  registerNumberCard(router, context, lookups);

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    if (call.text.trim() === '') {
      await call.open(numberFormView('', { inChannel: false, channelId: call.channelId }, call.channelId));
      return;
    }
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumberCommand(call.text, country);
    if (!read.ok) {
      const fault = 'number' in read.faults ? read.faults.number : read.faults.country;
      await call.reply(correctionMessage(fault, editNumberAction, call.text.trim()));
      return;
    }
    await call.reply(lookingUpMessage(read.query.number));
    const { card } = await lookups.lookUp(call.user, read.query, call.requestId);
    await call.reply(cardMessage(card));
  }

  router.command('number', 'look_up', handle, () => numberHelp(commandPrefix), numbersOr());

  router.action(openActions.numberForm, 'look_up', async ({ open }) => {
    await open(numberFormView('', { inChannel: false }, undefined));
  });

  router.action(editNumberAction, 'look_up', async ({ value, channelId, open }) => {
    const { number, country } = splitNumberCommand(value);
    await open(numberFormView(number, { inChannel: false, channelId }, channelId, country));
  });

  router.action(numberDestinationAction, 'look_up', async ({ view }) => {
    if (view !== undefined) {
      const { origin } = numberMetadata.parse(view.metadata);
      await view.replace(
        numberFormView(view.values.number?.text ?? '', readDestination(view.values, origin), origin),
      );
    }
  });

  router.submission(numberCallback, 'look_up', async ({ user, requestId, values, metadata }) => {
    const { country: home } = await workspaces.defaults(user.workspaceId);
    const read = readNumberQuery(values.number?.text ?? '', values.country?.text, home);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const destination = readDestination(values, numberMetadata.parse(metadata).origin);
    return {
      view: lookingUpView(read.query.number),
      background: async () => {
        const { card, notPosted } = await lookups.lookUp(user, read.query, requestId, destination);
        return numberCardView(card, notPosted);
      },
    };
  });
}
