import type { KnownBlock, ModalView } from '@slack/types';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { readNumberList } from '../../../services/numbers/number-list.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { back, onwards, outset, type Trail, trailSchema } from '../../block-kit/trail.ts';
import type { Values } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { pushModal } from '../../middleware/open-modal.ts';
import type { Router, User } from '../../middleware/requests.ts';
import { requireListAdmin } from '../../middleware/require-list-admin.ts';
import { addRecipientsAction, openDoNotContactAction } from '../../navigation/suppression-list.ts';
import {
  addedNews,
  addNumberCallback,
  addNumberView,
  removeCallback,
  removedNews,
  removeView,
} from './form-views.ts';
import { registerSuppressionImport } from './import-listeners.ts';
import {
  listActions,
  numbersPerPage,
  suppressionListCallback,
  suppressionListTitle,
  suppressionListView,
  turnSuppressionList,
} from './list-view.ts';

/** What fits into the field is far fewer. */
const mostPasted = 1_000;

interface Shown {
  trail?: Trail | undefined;
  news?: KnownBlock[] | undefined;
  /** What was typed to be looked up. */
  typed?: string | undefined;
}

/** The list as it is now, with what was just done or looked up. */
export function createListView({ services }: Pick<AppContext, 'services'>) {
  const { suppressionList: doNotContact, workspaces } = services;

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
    const isListed = (await doNotContact.filterListed(workspaceId, [number])).length > 0;
    return { ok: true, number, isListed } as const;
  }

  return async (user: User, { trail = outset, news, typed = '' }: Shown = {}): Promise<ModalView> => {
    const { workspaceId, role } = user;
    const [count, page, answer] = await Promise.all([
      doNotContact.count(workspaceId),
      doNotContact.page(workspaceId, { after: trail.after || undefined, limit: numbersPerPage }),
      answerTo(workspaceId, typed),
    ]);
    return suppressionListView({ count, page, trail, isAdmin: role === 'admin', news, answer });
  };
}

/** The list of those who want no messages: everyone who may send may add, admins take off and import. */
export function registerSuppressionList(router: Router, context: AppContext): void {
  const { suppressionList: doNotContact, messages: messaging, workspaces } = context.services;
  const view = createListView(context);

  router.action(openDoNotContactAction, async ({ user, open }) => {
    await open(await view(user));
  });

  const steps: Record<string, (trail: Trail, value: string) => Trail> = {
    [turnSuppressionList.newest]: () => outset,
    [turnSuppressionList.previous]: back,
    [turnSuppressionList.next]: onwards,
  };
  for (const [actionId, step] of Object.entries(steps)) {
    router.action(actionId, async (call) => {
      const trail = step(trailSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.user, { trail }));
    });
  }

  router.action(listActions.search, async ({ user, value, view: from }) => {
    const trail = trailSchema.parse(from?.metadata);
    await from?.replace(await view(user, { trail, typed: value }));
  });

  router.submission(suppressionListCallback, async ({ user, values, metadata }) => {
    const trail = trailSchema.parse(metadata);
    return { view: await view(user, { trail, typed: values.number?.text }) };
  });

  router.action(listActions.addThis, async ({ user, value, view: from }) => {
    const added = await doNotContact.add({ ...user, numbers: [phoneNumberSchema.parse(value)] });
    await from?.replace(await view(user, { news: [section(addedNews(added))] }));
  });

  router.action(listActions.removeThis, async ({ user, value, view: from }) => {
    requireListAdmin(user);
    const removed = await doNotContact.remove(user.workspaceId, [phoneNumberSchema.parse(value)]);
    const trail = trailSchema.parse(from?.metadata);
    await from?.replace(await view(user, { trail, news: [section(removedNews(removed, 1))] }));
  });

  router.action(listActions.add, async ({ view: from }) => {
    await from?.replace(addNumberView());
  });

  router.action(listActions.remove, async ({ user, view: from }) => {
    requireListAdmin(user);
    await from?.replace(removeView());
  });

  async function pasted({ workspaceId }: User, values: Values) {
    const { country } = await workspaces.defaults(workspaceId);
    return readNumberList({ typed: values.numbers?.text ?? '' }, { country, most: mostPasted });
  }

  router.submission(addNumberCallback, async ({ user, values }) => {
    const read = await pasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const added = await doNotContact.add({ ...user, numbers: read.list.numbers });
    return { view: await view(user, { news: [section(addedNews(added))] }) };
  });

  router.submission(removeCallback, async ({ user, values }) => {
    requireListAdmin(user);
    const read = await pasted(user, values);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const { numbers } = read.list;
    const removed = await doNotContact.remove(user.workspaceId, numbers);
    return { view: await view(user, { news: [section(removedNews(removed, numbers.length))] }) };
  });

  router.action(addRecipientsAction, async (call) => {
    const { draft } = await messaging.find(call.user.workspaceId, call.value, call.user.userId);
    if (draft === undefined) {
      throw new UserError(
        mrkdwn`This lies more than a day back, and the number is no longer known here. Add it with *Add numbers*, in the do-not-contact list.`,
      );
    }
    const added = await doNotContact.add({ ...call.user, numbers: draft.content.recipients });
    await pushModal(call)(notice(suppressionListTitle, section(addedNews(added))));
  });

  registerSuppressionImport(router, context, view);
}
