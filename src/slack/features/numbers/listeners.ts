import { onceEach } from '../../../lib/memoize-async.ts';
import { type PlaceChoice, readPlace } from '../../block-kit/place.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { Asker, CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal, troubleMessage } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { cardMessage, cardView, channelCard, type Found } from './card.ts';
import { type Asked, numberHelp, readAsked, readNumberCommand } from './command.ts';
import {
  lookingUpMessage,
  lookingUpView,
  numberCallback,
  numberFormView,
  numberMetadata,
  numberPlaceAction,
  openNumberAction,
} from './form-view.ts';

interface Result {
  found: Found;
  draftId: string;
  notPosted: Markup | undefined;
}

const rememberedLookUps = 100;

/** `/number`: network, porting, Do-Not-Disturb and the route to use, in one card. */
export function listenToNumber(listening: Listening, { services, telling, commandPrefix }: Tools): void {
  const { workspaces, numberLookUp, messaging } = services;
  const once = onceEach<Result>(rememberedLookUps);

  /** Once for a request and what it asks, however often it arrives, so that a channel has it once. */
  function lookUp(asker: Asker, { number, country }: Asked, requestId: string, place?: PlaceChoice) {
    const { workspaceId, personId } = asker;
    return once(JSON.stringify([workspaceId, personId, requestId, number, country, place]), async () => {
      const found = await numberLookUp.lookUp(workspaceId, number, country);
      if (found.kind === 'not_connected') {
        throw new Refusal(keyGone);
      }
      const draftId = requestKey(workspaceId, requestId, 'number', number, country);
      const { senderId } = await workspaces.defaults(workspaceId);
      await messaging.save(workspaceId, draftId, personId, {
        recipients: [number],
        route: found.advice.route,
        text: '',
        ...(senderId === undefined ? {} : { senderId }),
      });
      const notPosted =
        place?.inChannel && place.channelId !== undefined
          ? await telling.post(place.channelId, channelCard(found, personId, place.showNumbers))
          : undefined;
      return { found, draftId, notPosted };
    });
  }

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId } = call.asker;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
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
      await call.reply(troubleMessage(mrkdwn`*Nothing was looked up.* ${fault}`));
      return;
    }
    await call.reply(lookingUpMessage(read.asked.number));
    const { found, draftId } = await lookUp(call.asker, read.asked, call.requestId);
    await call.reply(cardMessage(found, draftId));
  }

  listening.command('number', handle, () => numberHelp(commandPrefix));

  listening.action(openNumberAction, async ({ open }) => {
    await open(numberFormView('', { inChannel: false }, undefined));
  });

  listening.action(numberPlaceAction, async ({ view }) => {
    if (view !== undefined) {
      const { origin } = numberMetadata.parse(view.metadata);
      await view.replace(
        numberFormView(view.values.number?.text ?? '', readPlace(view.values, origin), origin),
      );
    }
  });

  listening.submission(numberCallback, async ({ asker, requestId, values, metadata }) => {
    const { country: home } = await workspaces.defaults(asker.workspaceId);
    const read = readAsked(values.number?.text ?? '', values.country?.text, home);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const place = readPlace(values, numberMetadata.parse(metadata).origin);
    return {
      view: lookingUpView(read.asked.number),
      afterwards: async () => {
        const { found, draftId, notPosted } = await lookUp(asker, read.asked, requestId, place);
        return cardView(found, draftId, notPosted);
      },
    };
  });
}

const keyGone = mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was looked up.`;
