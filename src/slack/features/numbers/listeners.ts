import { createAsyncCache } from '../../../lib/async-cache.ts';
import { type DestinationChoice, readDestination } from '../../block-kit/inputs/destination-input.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { CommandRequest, User } from '../../middleware/requests.ts';
import { keyRemovedError } from '../../middleware/require-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { cardMessage, channelCard, type LookedUpNumber, numberCardView } from './card-view.ts';
import { type NumberQuery, numberHelp, readNumberCommand, readNumberQuery } from './command.ts';
import {
  lookingUpMessage,
  lookingUpView,
  numberCallback,
  numberDestinationAction,
  numberFormView,
  numberMetadata,
} from './form-view.ts';

interface Result {
  found: LookedUpNumber;
  draftId: string;
  notPosted: Markup | undefined;
}

const maxCachedLookups = 100;

/** Creates the function that looks a number up, once for a request and its query, so that a channel gets the card once. */
function createLookUp({ services, notifier }: AppContext) {
  const { workspaces, numberLookup, messages } = services;
  const { get: once } = createAsyncCache<Result>({ max: maxCachedLookups });

  return (
    user: User,
    { number, country }: NumberQuery,
    requestId: string,
    destination?: DestinationChoice,
  ): Promise<Result> => {
    const { workspaceId, userId } = user;
    return once(JSON.stringify([workspaceId, userId, requestId, number, country, destination]), async () => {
      const found = await numberLookup.lookUp(workspaceId, number, country);
      if (found.kind === 'not_connected') {
        throw keyRemovedError('Nothing was looked up.');
      }
      const draftId = idempotencyKey(workspaceId, requestId, 'number', number, country);
      const { senderId } = await workspaces.defaults(workspaceId);
      await messages.save(workspaceId, draftId, userId, {
        recipients: [number],
        route: found.advice.route,
        text: '',
        senderId,
      });
      const notPosted =
        destination?.inChannel && destination.channelId !== undefined
          ? await notifier.post(destination.channelId, channelCard(found, userId, destination.showNumbers))
          : undefined;
      return { found, draftId, notPosted };
    });
  };
}

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function registerNumber(router: Router, context: AppContext): void {
  const { services, commandPrefix } = context;
  const { workspaces } = services;
  const lookUp = createLookUp(context);

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
      await call.reply(errorMessage(mrkdwn`*Nothing was looked up.* ${fault}`));
      return;
    }
    await call.reply(lookingUpMessage(read.query.number));
    const { found, draftId } = await lookUp(call.user, read.query, call.requestId);
    await call.reply(cardMessage(found, draftId));
  }

  router.command('number', handle, () => numberHelp(commandPrefix), numbersOr());

  router.action(openActions.numberForm, async ({ open }) => {
    await open(numberFormView('', { inChannel: false }, undefined));
  });

  router.action(numberDestinationAction, async ({ view }) => {
    if (view !== undefined) {
      const { origin } = numberMetadata.parse(view.metadata);
      await view.replace(
        numberFormView(view.values.number?.text ?? '', readDestination(view.values, origin), origin),
      );
    }
  });

  router.submission(numberCallback, async ({ user, requestId, values, metadata }) => {
    const { country: home } = await workspaces.defaults(user.workspaceId);
    const read = readNumberQuery(values.number?.text ?? '', values.country?.text, home);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const destination = readDestination(values, numberMetadata.parse(metadata).origin);
    return {
      view: lookingUpView(read.query.number),
      background: async () => {
        const { found, draftId, notPosted } = await lookUp(user, read.query, requestId, destination);
        return numberCardView(found, draftId, notPosted);
      },
    };
  });
}
