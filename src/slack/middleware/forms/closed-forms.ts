import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { keepLatest } from '../../../lib/lru-cache.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { ActionRequest } from '../requests.ts';

export const openAgainAction = 'form_open_again';

const rememberedForms = 100;

/** What failed after its person had closed the view. The forms among it are kept until a restart, the latest of them. */
export interface ClosedForms {
  /** Tells the person by message. */
  notify(userId: string, view: Pick<ModalView, 'title'>, trouble: Markup): Promise<void>;
  /** The same, with a button that opens the form as they filled it in. */
  offerAgain(userId: string, form: ModalView, trouble: Markup): Promise<void>;
  openAgain(call: Pick<ActionRequest, 'user' | 'value' | 'open'>): Promise<void>;
}

export function createClosedForms(
  tell: (userId: string, content: SlackMessage) => Promise<void>,
): ClosedForms {
  const forms = keepLatest<{ userId: string; form: ModalView }>(rememberedForms);
  return {
    async notify(userId, view, trouble) {
      const said = saidOf(view, trouble);
      await tell(userId, message(said, [section(said)]));
    },

    async offerAgain(userId, form, trouble) {
      const id = randomUUID();
      forms.keep(id, { userId, form });
      const said = saidOf(form, trouble);
      const open = button(openAgainAction, 'Open the form again', { value: id });
      await tell(userId, message(said, [section(said), actions('form_again', open)]));
    },

    async openAgain({ user, value, open }) {
      const kept = forms.get(value);
      if (kept?.userId !== user.userId) {
        throw new UserError(mrkdwn`This form is no longer kept. Start again with the command.`);
      }
      await open(kept.form);
    },
  };
}

function saidOf({ title }: Pick<ModalView, 'title'>, trouble: Markup): Markup {
  return mrkdwn`:warning: *${title.text}*: ${trouble}`;
}
