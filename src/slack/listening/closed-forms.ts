import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { actions, button, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { type Markup, mrkdwn } from '../blocks/text.ts';
import { Refusal } from '../errors.ts';
import { keepLatest } from '../latest.ts';
import type { ActionCall } from './calls.ts';

export const openAgainAction = 'form_open_again';

const rememberedForms = 100;

/** Forms that failed after their person had closed them. A restart forgets them. */
export interface ClosedForms {
  /** Tells the person by message, with a button that opens the form as they filled it in. */
  offer(personId: string, form: ModalView, trouble: Markup): Promise<void>;
  openAgain(call: Pick<ActionCall, 'asker' | 'value' | 'open'>): Promise<void>;
}

export function createClosedForms(tell: (personId: string, content: Message) => Promise<void>): ClosedForms {
  const forms = keepLatest<{ personId: string; form: ModalView }>(rememberedForms);
  return {
    async offer(personId, form, trouble) {
      const id = randomUUID();
      forms.keep(id, { personId, form });
      const title = form.title.text;
      const said = mrkdwn`:warning: *${title}*: ${trouble}`;
      const open = button(openAgainAction, 'Open the form again', { value: id });
      await tell(personId, message(said, [section(said), actions('form_again', open)]));
    },

    async openAgain({ asker, value, open }) {
      const kept = forms.get(value);
      if (kept?.personId !== asker.personId) {
        throw new Refusal(
          mrkdwn`This form is no longer here: Switchboard was restarted since. Start again with the command.`,
        );
      }
      await open(kept.form);
    },
  };
}
