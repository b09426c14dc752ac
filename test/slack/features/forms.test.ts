import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { otpWaySchema } from '../../../src/domain/otp/otp-ways.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { addContactView } from '../../../src/slack/features/contacts/add-view.ts';
import { noCardView } from '../../../src/slack/features/contacts/card-view.ts';
import { namePhonebookView, phonebooksView } from '../../../src/slack/features/contacts/phonebooks/views.ts';
import { uploadView } from '../../../src/slack/features/contacts/upload/views.ts';
import { qrChannelView } from '../../../src/slack/features/esims/status/qr-views.ts';
import { dndCheckView } from '../../../src/slack/features/numbers/dnd-check/views.ts';
import { lookingUpMessage, numberFormView } from '../../../src/slack/features/numbers/form-view.ts';
import { verifyView } from '../../../src/slack/features/otp/verify-view.ts';
import { connectView, settingsMessage } from '../../../src/slack/features/settings/views.ts';
import { errorMessage, errorView } from '../../../src/slack/middleware/errors.ts';
import type { Operation } from '../../../src/store/operations/ledger.ts';
import { anyText } from '../../support/arbitrary-text.ts';
import { assertSlackAccepts } from '../../support/slack/assert-slack-accepts.ts';

const name = anyText.map((text) => text.slice(0, 60).toWellFormed()).filter((text) => text.trim() !== '');
const phonebooks = fc
  .array(name, { minLength: 1, maxLength: 100 })
  .map((names) => names.map((name, index) => ({ id: `phonebook-${index}`, name })));
const position = { phonebookId: 'phonebook-0', page: 0, search: '', origin: 'C0SUPPORT' };
const shown = { inChannel: true, channelId: 'C0SUPPORT', showNumbers: true };

describe('Slack accepts every form, also refilled with an error in it, which keeps every value', () => {
  it('of contacts and phonebooks', () => {
    fc.assert(
      fc.property(phonebooks, anyText, (named, text) => {
        const form = { phonebooks: named, position, key: 'key', country: 'NG' };
        assertSlackAccepts(addContactView({ ...form, number: text }));
        assertSlackAccepts(uploadView(form));
        assertSlackAccepts(phonebooksView(named, mrkdwn`*${text}* is added.`));
        assertSlackAccepts(noCardView(position, text));
      }),
      { numRuns: 40 },
    );
    assertSlackAccepts(namePhonebookView(false));
    assertSlackAccepts(namePhonebookView(true));
  });

  it('of numbers, codes, eSIMs and the key', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...otpWaySchema.options), (text, way) => {
        const typed = text.slice(0, 3_000).toWellFormed();
        assertSlackAccepts(dndCheckView(typed, shown, 'C0SUPPORT'));
        assertSlackAccepts(numberFormView(typed.slice(0, 100).toWellFormed(), shown, 'C0SUPPORT'));
        const codes = Array.from(
          { length: 50 },
          (_, index): Operation => ({
            id: 'id',
            workspaceId: 'T0',
            key: `key-${index}`,
            kind: `otp.${way}`,
            userId: 'U0AGENT',
            summary: { way, to: typed, minutes: 10, senderId: 'PalmMarket' },
            state: 'accepted',
            createdAt: new Date(0),
          }),
        );
        assertSlackAccepts(verifyView(codes));
        assertSlackAccepts(verifyView(codes, 'key-0'));
      }),
      { numRuns: 40 },
    );
    assertSlackAccepts(qrChannelView('8923490000000421208'));
    assertSlackAccepts(connectView());
  });
});

describe('Slack accepts messages', () => {
  it('of an error of any length, in a modal and in a message', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 10 }), (text, times) => {
        const said = mrkdwn`*Nothing was sent.* ${text.repeat(times)}`;
        assertSlackAccepts(errorView(said));
        const message = errorMessage(said);
        assert.equal(checkMessage(message), undefined);
        assert.ok(message.text.length <= 4_000);
      }),
    );
  });

  it('of a lookup under way, and of the settings', () => {
    const number = phoneNumberSchema.parse('+2348031234567');
    assert.equal(checkMessage(lookingUpMessage(number)), undefined);
    assert.equal(checkMessage(settingsMessage(undefined)), undefined);
  });
});
