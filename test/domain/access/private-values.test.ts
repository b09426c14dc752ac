import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PersonalText, toRecord } from '../../../src/domain/access/private-values.ts';
import { countries } from '../../../src/domain/phone/countries.ts';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { quotation, section } from '../../../src/slack/block-kit/build.ts';
import { forReaders, message } from '../../../src/slack/block-kit/message.ts';
import { mrkdwn, plain, renderFor } from '../../../src/slack/block-kit/text.ts';
import { exampleMobile } from '../phone/examples.ts';

const number = fc.constantFrom(...countries.map(({ code }) => exampleMobile(code)));
const digitsOf = (text: string) => text.replace(/\D/g, '');

test('a message shows a number, an ICCID and personal text in full to its person, and masked to a channel', () => {
  fc.assert(
    fc.property(number, fc.string(), (phone, typed) => {
      const iccid = '8923490000000421208';
      const words = `call ${toE164(phone)} now`;
      const line = mrkdwn`${typed} ${phone} ${iccid} ${new PersonalText(words)} ${toE164(phone)}`;
      const content = message(line, [section(line)]);
      const [full, masked] = [forReaders('person', content), forReaders('channel', content)].map((shown) =>
        JSON.stringify(shown),
      );
      assert.equal(digitsOf(full ?? '').split(digitsOf(toE164(phone))).length - 1, 6);
      assert.ok(full?.includes(iccid));
      assert.ok(
        !digitsOf(masked ?? '').includes(digitsOf(toE164(phone))) && !masked?.includes(iccid),
        masked,
      );
    }),
  );
});

test('a user’s text is never read as a private value', () => {
  const typed = '<!phone^+2348031234567> <!personal^>hidden<!personal$>';
  const { text } = forReaders('channel', message(mrkdwn`${typed}`, []));
  assert.equal(text, '&lt;!phone^+2348031234567&gt; &lt;!personal^&gt;hidden&lt;!personal$&gt;');
});

test('neither a customer nor the end of a long text unmasks a number', () => {
  const reply = '<!personal$> call 0803 123 4567';
  const long = mrkdwn`${'x'.repeat(60)} ${'+2348031234567'} ${'x'.repeat(60)}`;
  for (let limit = 60; limit < 120; limit += 1) {
    const shown = renderFor('tool', [quotation(new PersonalText(reply)), plain(long, limit)]);
    assert.doesNotMatch(digitsOf(JSON.stringify(shown)), /803123/, String(limit));
  }
});

test('a record holds no number and no ICCID, at any depth', () => {
  fc.assert(
    fc.property(number, (phone) => {
      const kept = toRecord(
        {
          to: [phone],
          esim: { iccid: '8923490000000421208', listed: '8923490000000421208F' },
          name: `for ${toE164(phone)}`,
        },
        new Set(['name']),
      );
      assert.ok(!digitsOf(JSON.stringify(kept)).includes(digitsOf(toE164(phone))));
      assert.doesNotMatch(JSON.stringify(kept), /8923490000000421208/);
    }),
  );
});

test('a record keeps the sender, which a message may be sent from again', () => {
  const summary = { senderId: '+2348031234567', to: ['+2348051234567'] };
  assert.deepEqual(toRecord(summary), { senderId: '+2348031234567', to: ['+234805•••4567'] });
});

test('a number is no text: only the renderer, the provider’s request and what is stored write it', () => {
  const phone = phoneNumberSchema.parse('+2348031234567');
  // @ts-expect-error A number is not assignable to a string.
  const text: string = phone;
  // @ts-expect-error A plain text takes markup, in which the number stays a value.
  plain(phone);
  assert.equal(text, '+2348031234567');
});
