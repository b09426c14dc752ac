import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { CountryCode } from '../../../domain/phone/countries.ts';
import {
  countryOf,
  type PhoneNumber,
  phoneNumberSchema,
  toE164,
} from '../../../domain/phone/phone-number.ts';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import { workspaceKey } from '../../../lib/workspace-caches.ts';
import { historyReader } from '../../../services/history/history.ts';
import type { LookedUpNumber } from '../../../services/numbers/number-lookup.ts';
import type { DestinationChoice } from '../../block-kit/inputs/destination-input.ts';
import type { Markup } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import type { Navigation, ToolContent, Viewer } from '../../navigation/navigation.ts';
import { type NumberCard, numberCardView, sharedCard } from './card.ts';
import { saveMessageDraft } from './results.ts';

/** A number to look up, and the country to look it up in. */
export interface NumberQuery {
  number: PhoneNumber;
  country: CountryCode;
}

interface Result {
  found: LookedUpNumber;
  draftId: string;
  notPosted: Markup | undefined;
}

const maxCachedLookups = 100;

/** What look-ups need; of the navigation, the conversation with a number. */
type LookupContext = Pick<AppContext, 'services' | 'posts' | 'caches' | 'time'> & {
  navigation: Pick<Navigation, 'conversation'>;
};

export type Lookups = ReturnType<typeof createLookups>;

export function createLookups(context: LookupContext) {
  const { savedForms } = context.services;
  const results = createAsyncCache<Result>({ max: maxCachedLookups });
  context.caches.add(results);
  return {
    /** Looks a number up, once for a request and its query, so that a channel gets the card once. */
    async lookUp(user: Viewer, query: NumberQuery, requestId: string, destination?: DestinationChoice) {
      const { number, country } = query;
      const key = workspaceKey(user.workspaceId, user.userId, requestId, number, country, destination);
      const { found, draftId, notPosted } = await results.get(key, () =>
        perform(context, user, query, requestId, destination),
      );
      return { card: await cardOf(context, user, draftId, found), notPosted };
    },

    /** Returns the card of a user's earlier lookup, updated from the do-not-contact list; undefined after a day. */
    async recall(user: Viewer, draftId: string): Promise<NumberCard | undefined> {
      const found = storedLookupSchema.optional().parse(await savedForms.find(user, `lookup.${draftId}`));
      return found && cardOf(context, user, draftId, found);
    },
  };
}

async function perform(
  context: LookupContext,
  user: Viewer,
  { number, country }: NumberQuery,
  requestId: string,
  destination: DestinationChoice | undefined,
): Promise<Result> {
  const { numberLookup, savedForms } = context.services;
  const { workspaceId, userId } = user;
  const found = await numberLookup
    .lookUp(user, number, country)
    .catch(addToRefusal('Nothing was looked up.'));
  const draftId = idempotencyKey(workspaceId, requestId, 'number', toE164(number), country);
  await saveMessageDraft(context, user, draftId, [found.dnd]);
  await savedForms.save(user, `lookup.${draftId}`, storedLookupSchema.parse(found));
  const channelId = destination?.inChannel ? destination.channelId : undefined;
  const notPosted =
    channelId === undefined
      ? undefined
      : await context.posts.message(
          { workspaceId, id: `card.${draftId}.${userId}.${channelId}`, userId, channelId },
          sharedCard(await cardOf(context, user, draftId, found), userId, destination?.showNumbers),
        );
  return { found, draftId, notPosted };
}

async function cardOf(
  { services, navigation }: LookupContext,
  user: Viewer,
  draftId: string,
  found: LookedUpNumber,
): Promise<NumberCard> {
  const { number } = found.dnd;
  return {
    found,
    draftId,
    listed: (await services.suppressionList.find(user.workspaceId, [number])).get(number),
    isAdmin: user.permissions.has('administer'),
    canSend: user.permissions.has('send'),
    threadId: await services.replies.answerableBy(historyReader(user), number),
    conversation: await navigation.conversation(user, number),
  };
}

/** The card of a number as other features show it: in a modal, and in an answer to be read alone. */
export function createNumberCards(context: LookupContext): {
  view: Navigation['numberCard'];
  message: ToolContent['numberCard'];
} {
  const { lookUp } = createLookups(context);
  const cardFor = async (viewer: Viewer, number: PhoneNumber, requestId: string) => {
    const { country } = await context.services.workspaces.defaults(viewer.workspaceId);
    const query = { number, country: countryOf(number) ?? country };
    return (await lookUp(viewer, query, requestId)).card;
  };
  return {
    view: async (...asked) => numberCardView(await cardFor(...asked)),
    message: async (viewer, ...asked) => sharedCard(await cardFor(viewer, ...asked), viewer.userId),
  };
}

const entrySchema = z
  .object({
    routeDetail: z.object({ ported: z.number().optional() }).optional(),
    countryDetail: z.object({ iso: z.string().optional() }).optional(),
    operatorDetail: z
      .object({ operatorName: z.string().optional(), lineType: z.string().optional() })
      .optional(),
  })
  .transform((entry) => ({ ...entry, raw: undefined }));

const adviceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['any_route', 'not_nigerian', 'on_dnd', 'dnd_unknown']) }),
  z.object({ kind: z.literal('quiet_hours'), endsAt: z.coerce.date() }),
]);

/** A lookup as stored for the buttons of its card: only the parts that the card shows. */
const storedLookupSchema = z.object({
  network: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('known'), entry: entrySchema }),
    z.object({ kind: z.enum(['no_entry', 'not_activated']), providerMessage: z.string().optional() }),
    z.object({ kind: z.literal('failed'), problem: z.string() }),
  ]),
  dnd: z.object({
    number: phoneNumberSchema,
    dnd: z.enum(['active', 'inactive', 'unknown']),
    network: z.string().optional(),
    problem: z.string().optional(),
  }),
  advice: adviceSchema,
});
