import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { ActionRequest } from '../requests.ts';

export const openAgainAction = 'form_open_again';

const maxForms = 100;

/** Errors of views that their user has closed, sent as direct messages. The latest forms are kept until a restart. */
export interface ClosedForms {
  notify(userId: string, view: Pick<ModalView, 'title'>, error: Markup): Promise<void>;
  /** As `notify`, with a button that opens the form as the user filled it in. */
  offerAgain(userId: string, form: ModalView, error: Markup): Promise<void>;
  openAgain(request: Pick<ActionRequest, 'user' | 'value' | 'open'>): Promise<void>;
}

export function createClosedForms(
  send: (userId: string, content: SlackMessage) => Promise<void>,
): ClosedForms {
  const forms = new LRUCache<string, { userId: string; form: ModalView }>({ max: maxForms });
  return {
    async notify(userId, view, error) {
      const text = errorText(view, error);
      await send(userId, message(text, [section(text)]));
    },

    async offerAgain(userId, form, error) {
      const id = randomUUID();
      forms.set(id, { userId, form });
      const text = errorText(form, error);
      const open = button(openAgainAction, 'Open the form again', { value: id });
      await send(userId, message(text, [section(text), actions('form_again', open)]));
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

function errorText({ title }: Pick<ModalView, 'title'>, error: Markup): Markup {
  return mrkdwn`:warning: *${title.text}*: ${error}`;
}
