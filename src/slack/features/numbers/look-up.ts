import { createAsyncCache } from '../../../lib/async-cache.ts';
import { workspaceKey } from '../../../lib/forgetting.ts';
import type { DestinationChoice } from '../../block-kit/inputs/destination-input.ts';
import type { Markup } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import { notConnectedError } from '../../middleware/not-connected.ts';
import { limitedError } from '../../middleware/require-performed.ts';
import type { Navigation, Viewer } from '../../navigation/navigation.ts';
import { channelCard, type LookedUpNumber, type NumberCard } from './card-view.ts';
import type { NumberQuery } from './command.ts';
import { keptLookupSchema } from './kept-lookup.ts';
import { createSaveMessageDraft } from './message-draft.ts';

export interface Lookups {
  /** Looks a number up, once for a request and its query, so that a channel gets the card once. */
  lookUp(
    user: Viewer,
    query: NumberQuery,
    requestId: string,
    destination?: DestinationChoice,
  ): Promise<{ card: NumberCard; notPosted: Markup | undefined }>;
  /** Returns the card of a user's earlier lookup, with what the suppression list says now; undefined after a day. */
  recall(user: Viewer, draftId: string): Promise<NumberCard | undefined>;
}

interface Result {
  found: LookedUpNumber;
  draftId: string;
  notPosted: Markup | undefined;
}

const maxCachedLookups = 100;

/** What look-ups need; of the navigation, what was sent to a number. */
export type LookupContext = Pick<AppContext, 'services' | 'notifier' | 'forgetting' | 'time'> & {
  navigation: Pick<Navigation, 'sentTo'>;
};

export function createLookups(context: LookupContext): Lookups {
  const { numberLookup, suppressionList, keptForms, claims } = context.services;
  const saveMessageDraft = createSaveMessageDraft(context);
  const results = createAsyncCache<Result>({ max: maxCachedLookups });
  context.forgetting.cache(results);

  async function findListed({ workspaceId }: Viewer, { dnd }: LookedUpNumber) {
    return (await suppressionList.find(workspaceId, [dnd.number])).get(dnd.number);
  }

  async function cardOf(user: Viewer, draftId: string, found: LookedUpNumber): Promise<NumberCard> {
    return {
      found,
      draftId,
      listed: await findListed(user, found),
      isAdmin: user.permissions.has('administer'),
      canSend: user.permissions.has('send'),
      sent: await context.navigation.sentTo(user, found.dnd.number),
    };
  }

  return {
    async lookUp(user, { number, country }, requestId, destination) {
      const { workspaceId, userId } = user;
      const key = workspaceKey(workspaceId, userId, requestId, number, country, destination);
      const { found, draftId, notPosted } = await results.get(key, async () => {
        const result = await numberLookup.lookUp(user, number, country);
        if (result.kind === 'not_connected') {
          throw notConnectedError('Nothing was looked up.');
        }
        if (result.kind === 'limited') {
          throw limitedError(result.limit, 'Nothing was looked up.');
        }
        const id = idempotencyKey(workspaceId, requestId, 'number', number, country);
        await saveMessageDraft(user, id, [result.dnd]);
        await keptForms.keep(user, `lookup.${id}`, keptLookupSchema.parse(result));
        const problem =
          destination?.inChannel &&
          destination.channelId !== undefined &&
          (await claims.take(workspaceId, `card.${id}.${userId}.${destination.channelId}`))
            ? await context.notifier.post(
                workspaceId,
                destination.channelId,
                channelCard(await cardOf(user, id, result), userId, destination.showNumbers),
              )
            : undefined;
        return { found: result, draftId: id, notPosted: problem };
      });
      return { card: await cardOf(user, draftId, found), notPosted };
    },

    async recall(user, draftId) {
      const found = keptLookupSchema.optional().parse(await keptForms.find(user, `lookup.${draftId}`));
      return found && cardOf(user, draftId, found);
    },
  };
}
