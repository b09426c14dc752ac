import type { KnownBlock, ModalView } from '@slack/types';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { readNumberList } from '../../../services/numbers/number-list.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { back, onwards, outset, type Trail, trailSchema } from '../../block-kit/trail.ts';
import type { Values } from '../../block-kit/view-state.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { listAdminsOnly } from '../../middleware/require-list-admin.ts';
import { above } from '../../middleware/show.ts';
import { addRecipientsAction, openDoNotContactAction } from '../../navigation/suppression-list.ts';
import { addCallback, addedNews, addView, removeCallback, removedNews, removeView } from './form-views.ts';
import { listenToImport } from './import-listeners.ts';
import { listActions, listCallback, listView, perPage, title, turnList } from './list-view.ts';

/** What fits into the field is far fewer. */
const mostPasted = 1_000;

interface Shown {
  trail?: Trail | undefined;
  news?: KnownBlock[] | undefined;
  /** What was typed to be looked up. */
  typed?: string | undefined;
}

/** The list as it is now, with what was just done or looked up. */
export function createListView({ services }: Pick<Tools, 'services'>) {
  const { doNotContact, workspaces } = services;

  async function answerTo(workspaceId: string, typed: string) {
    const text = typed.trim();
    if (text === '') {
      return undefined;
    }
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumber(text, country);
    if (!read.ok) {
      return { ok: false, fault: `“${text}” ${read.reason}.` } as const;
    }
    const { number } = read;
    const isListed = (await doNotContact.among(workspaceId, [number])).length > 0;
    return { ok: true, number, isListed } as const;
  }

  return async (asker: Asker, { trail = outset, news, typed = '' }: Shown = {}): Promise<ModalView> => {
    const { workspaceId, role } = asker;
    const [count, page, answer] = await Promise.all([
      doNotContact.count(workspaceId),
      doNotContact.page(workspaceId, { after: trail.after || undefined, limit: perPage }),
      answerTo(workspaceId, typed),
    ]);
    return listView({ count, page, trail, isAdmin: role === 'admin', news, answer });
  };
}

/** The list of those who want no messages: everyone who may send may add, admins take off and import. */
export function listenToDoNotContact(listening: Listening, tools: Tools): void {
  const { doNotContact, messaging, workspaces } = tools.services;
  const view = createListView(tools);

  listening.action(openDoNotContactAction, async ({ asker, open }) => {
    await open(await view(asker));
  });

  const steps: Record<string, (trail: Trail, value: string) => Trail> = {
    [turnList.newest]: () => outset,
    [turnList.previous]: back,
    [turnList.next]: onwards,
  };
  for (const [actionId, step] of Object.entries(steps)) {
    listening.action(actionId, async (call) => {
      const trail = step(trailSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.asker, { trail }));
    });
  }

  listening.action(listActions.search, async ({ asker, value, view: from }) => {
    const trail = trailSchema.parse(from?.metadata);
    await from?.replace(await view(asker, { trail, typed: value }));
  });

  listening.submission(listCallback, async ({ asker, values, metadata }) => {
    const trail = trailSchema.parse(metadata);
    return { view: await view(asker, { trail, typed: values.number?.text }) };
  });

  listening.action(listActions.addThis, async ({ asker, value, view: from }) => {
    const added = await doNotContact.add({ ...asker, numbers: [phoneNumberSchema.parse(value)] });
    await from?.replace(await view(asker, { news: [section(addedNews(added))] }));
  });

  listening.action(listActions.removeThis, async ({ asker, value, view: from }) => {
    listAdminsOnly(asker);
    const removed = await doNotContact.remove(asker.workspaceId, [phoneNumberSchema.parse(value)]);
    const trail = trailSchema.parse(from?.metadata);
    await from?.replace(await view(asker, { trail, news: [section(removedNews(removed, 1))] }));
  });

  listening.action(listActions.add, async ({ view: from }) => {
    await from?.replace(addView());
  });

  listening.action(listActions.remove, async ({ asker, view: from }) => {
    listAdminsOnly(asker);
    await from?.replace(removeView());
  });

  async function pasted({ workspaceId }: Asker, values: Values) {
    const { country } = await workspaces.defaults(workspaceId);
    return readNumberList({ typed: values.numbers?.text ?? '' }, { country, most: mostPasted });
  }

  listening.submission(addCallback, async ({ asker, values }) => {
    const read = await pasted(asker, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const added = await doNotContact.add({ ...asker, numbers: read.list.numbers });
    return { view: await view(asker, { news: [section(addedNews(added))] }) };
  });

  listening.submission(removeCallback, async ({ asker, values }) => {
    listAdminsOnly(asker);
    const read = await pasted(asker, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { numbers } = read.list;
    const removed = await doNotContact.remove(asker.workspaceId, numbers);
    return { view: await view(asker, { news: [section(removedNews(removed, numbers.length))] }) };
  });

  listening.action(addRecipientsAction, async (call) => {
    const { draft } = await messaging.find(call.asker.workspaceId, call.value, call.asker.personId);
    if (draft === undefined) {
      throw new Refusal(
        mrkdwn`This lies more than a day back, and the number is no longer known here. Add it with *Add numbers*, in the do-not-contact list.`,
      );
    }
    const added = await doNotContact.add({ ...call.asker, numbers: draft.content.recipients });
    await above(call)(notice(title, section(addedNews(added))));
  });

  listenToImport(listening, tools, view);
}
