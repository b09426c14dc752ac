import { countryOptions } from '../../block-kit/country-names.ts';
import { esimAction, esimOptions } from '../../block-kit/esim.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { esimActions } from '../../navigation/esims.ts';
import {
  confirmCallback,
  confirmMetadata,
  confirmView,
  orderCountryAction,
  orderingView,
  readOrder,
} from './confirm-view.ts';
import { orderOutcomeView } from './outcome-view.ts';
import { choiceSchema } from './plans-view.ts';

/** *Create* and *Top up*: a look at what it costs, and then the order, once. */
export function listenToOrdering(listening: Listening, { services, telling }: Tools): void {
  const { esims, esimOrders, operations } = services;
  /** A double click opens one confirmation: another below it would be taken for another order. */
  const opening = new Set<string>();

  for (const [actionId, deed] of [
    [esimActions.create, 'create'],
    [esimActions.topUp, 'top_up'],
  ] as const) {
    listening.action(actionId, async ({ asker, value, requestId, view, push }: ActionCall) => {
      const choice = choiceSchema.parse(JSON.parse(value));
      const confirmation = { deed, key: requestKey(asker.workspaceId, requestId), choice };
      const from = view?.id ?? requestId;
      if (opening.has(from)) {
        return;
      }
      opening.add(from);
      await push(confirmView(confirmation)).finally(() => opening.delete(from));
    });
  }

  listening.submission(confirmCallback, async ({ asker, values, metadata }) => {
    const confirmation = confirmMetadata.parse(metadata);
    const read = readOrder(values, confirmation);
    if (read.kind === 'faulty') {
      return { errors: read.faults };
    }
    return {
      view: orderingView(confirmation.deed),
      afterwards: async () => {
        const { key, choice } = confirmation;
        const order = { ...asker, key, plan: choice.plan };
        const ordering =
          read.kind === 'create'
            ? await esimOrders.create({ ...order, iso3: read.iso3 })
            : await esimOrders.topUp({ ...order, iso3: read.iso3, iccid: read.iccid });
        if (ordering.kind === 'not_connected') {
          throw new Refusal(mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was bought.`);
        }
        if (ordering.kind === 'cancelled') {
          throw new Refusal(mrkdwn`You cancelled this. Nothing was bought.`, { isFinal: true });
        }
        await telling.tell(ordering.operation);
        return orderOutcomeView(ordering.operation, ordering.esim);
      },
    };
  });

  listening.closed(confirmCallback, async ({ asker, metadata }) => {
    await operations.cancel(asker.workspaceId, confirmMetadata.parse(metadata).key, asker.personId);
  });

  listening.options(orderCountryAction, async ({ query }) => countryOptions(query, { withEvery: false }));

  listening.options(esimAction, async ({ asker, query }) => {
    const { records, note } = await esims.choices(asker.workspaceId);
    const { options, cut } = esimOptions(records, query);
    const notes = [note, cut > 0 ? `${cut} more: type some digits` : undefined].filter(Boolean);
    return { options, ...(notes.length > 0 && { note: notes.join('. ') }) };
  });
}
