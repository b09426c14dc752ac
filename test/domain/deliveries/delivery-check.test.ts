import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  asksForReply,
  checkDelivery,
  type DeliveryFacts,
  filteredIn,
  hasLink,
  nigerianAmong,
} from '../../../src/domain/deliveries/delivery-check.ts';
import {
  deliveryRuleNames,
  deliveryRules,
  knownSince,
  networkPrefixes,
} from '../../../src/domain/deliveries/delivery-rules.ts';
import { isQuietOperator } from '../../../src/domain/messages/quiet-hours.ts';
import { routeSchema } from '../../../src/domain/messages/routes.ts';
import { phoneNumberSchema, provenNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

const noon = new Date('2026-03-14T12:00:00+01:00');
const night = new Date('2026-03-14T21:00:00+01:00');
const facts: DeliveryFacts = {
  route: 'generic',
  senderId: 'PalmMarket',
  text: 'New arrivals on Saturday',
  recipients: { count: 10, quiet: 4, networks: ['MTN'] },
  landlines: { count: 0, of: 10 },
  off: [],
};

function rulesOf(changes: Partial<DeliveryFacts>, start = noon, durationMs = 0): string[] {
  return checkDelivery({ ...facts, ...changes }, { start, durationMs }).map(({ rule }) => rule);
}

describe('the check before a send', () => {
  it('warns of nothing where nothing is known to be lost', () => {
    assert.deepEqual(rulesOf({}), []);
    assert.deepEqual(rulesOf({ activeSenderIds: ['Other', 'palmmarket'] }), []);
  });

  const warned: [string, Partial<DeliveryFacts>, string[], Date?, number?][] = [
    ['filtered words', { text: 'You may WIN a prize' }, ['promotional_words']],
    ['links', { text: 'See https://shop.example/sale' }, ['links']],
    ['night', {}, ['night'], night],
    ['a campaign that runs into the night', {}, ['night'], noon, 9 * 3_600_000],
    ['digits', { senderId: 'Palm24' }, ['sender_digits']],
    ['an inactive sender', { activeSenderIds: ['Other'] }, ['sender_not_active']],
    ['an account without sender IDs', { activeSenderIds: [] }, ['sender_not_active']],
    [
      'several networks',
      { recipients: { count: 10, quiet: 4, networks: ['Glo', 'MTN'] } },
      ['sender_by_network'],
    ],
    ['a reply to a name', { text: 'To end these, reply with STOP' }, ['reply_to_name']],
  ];
  for (const [what, changes, expected, start, durationMs] of warned) {
    it(`warns of ${what}`, () => assert.deepEqual(rulesOf(changes, start, durationMs), expected));
  }

  const everything: Partial<DeliveryFacts> = {
    text: 'Win a prize at shop.example.com, or reply STOP',
    senderId: 'Palm24',
    activeSenderIds: [],
    recipients: { count: 10, quiet: 4, networks: ['Glo', 'MTN'] },
    landlines: { count: 2, of: 10 },
  };

  it('leaves what concerns promotional messages to Generic', () => {
    assert.deepEqual(rulesOf(everything, night), deliveryRuleNames);
    assert.deepEqual(rulesOf({ ...everything, route: 'dnd' }, night), [
      'sender_not_active',
      'sender_by_network',
      'reply_to_name',
      'landlines',
    ]);
    assert.deepEqual(rulesOf({ ...everything, route: 'chatapp' }, night), []);
    assert.deepEqual(rulesOf({ ...everything, route: 'voice' }, night), []);
  });

  it('concerns nobody outside Nigeria, except that nobody can reply to a name, and landlines', () => {
    const recipients = { count: 0, quiet: 0, networks: [] };
    assert.deepEqual(rulesOf({ ...everything, recipients }, night), ['reply_to_name', 'landlines']);
  });

  it('leaves the night of the operator with quiet hours to the warning that there is', () => {
    assert.deepEqual(rulesOf({ recipients: { count: 4, quiet: 4, networks: ['MTN'] } }, night), []);
  });

  it('asks nothing of a number as the sender, which can receive', () => {
    const recipients = { count: 10, quiet: 4, networks: ['Glo', 'MTN'] };
    assert.deepEqual(
      rulesOf({ senderId: '2348031234567', activeSenderIds: [], recipients, text: 'Reply STOP' }),
      [],
    );
  });

  it('warns of no rule that is off, and of all others', () => {
    fc.assert(
      fc.property(fc.subarray([...deliveryRuleNames]), (off) => {
        const left = deliveryRuleNames.filter((name) => !off.includes(name));
        assert.deepEqual(rulesOf({ ...everything, off }, night), left);
      }),
    );
  });

  it('takes any text, from any sender, and names only words that are in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 500 }),
        fc.string(),
        fc.constantFrom(...routeSchema.options),
        (text, senderId, route) => {
          const warnings = checkDelivery({ ...facts, text, senderId, route }, { start: noon });
          assert.ok(warnings.length <= deliveryRuleNames.length);
          for (const word of filteredIn(text)) {
            assert.ok(text.toLowerCase().includes(word));
          }
        },
      ),
    );
  });
});

describe('filtered words', () => {
  it('are whole words, in any case, each named once', () => {
    assert.deepEqual(filteredIn('Free! FREE, free. Winning freedom from windows'), ['free']);
    assert.deepEqual(filteredIn('Your account balance'), ['account', 'balance']);
    assert.deepEqual(filteredIn(''), []);
  });

  it('leave those of a one-time code to the warning that there is', () => {
    assert.deepEqual(filteredIn('Your code is 482913'), []);
    assert.deepEqual(filteredIn('Use the code PALM for free delivery'), ['code', 'free']);
  });
});

describe('a link', () => {
  it('is what a phone would open', () => {
    for (const text of [
      'https://a.example',
      'See HTTP://A.EXAMPLE/x now',
      'www.palm.example',
      'palm.com.ng',
      'at bit.ly/3xYz.',
      '(shop.example.com)',
      'palm.com, or',
    ]) {
      assert.ok(hasLink(text), text);
    }
    for (const text of [
      '',
      'Hello.',
      'N1.50',
      'e.g. this',
      'Come at 8.30. Bring 2.',
      '...',
      'me',
      'well.done',
    ]) {
      assert.ok(!hasLink(text), text);
    }
  });
});

describe('a text that asks for a reply', () => {
  it('has a word for replying, and an answer or a word that stops soon after it', () => {
    for (const text of [
      'Reply STOP to end',
      'reply with the word "stop"',
      'Txt STOPALL',
      'To opt out, send UNSUBSCRIBE to us',
      'Text us: STOP',
      'Reply YES to confirm',
      'please reply yes or no',
      'PLEASE REPLY YES',
      'Respond with the word “JOIN”',
      'Reply to this SMS with 1',
    ]) {
      assert.ok(asksForReply(text), text);
    }
    for (const text of [
      '',
      'Stop by our shop',
      'We reply at once',
      'Send us a letter, or come to our shop at the last bus stop',
      'Do not stop. Reply!',
      'Do not reply to this SMS. ADA will call',
      'We’ll reply in 2 days',
      'WE WILL REPLY SOON',
      'Thanks for your reply, YES we are open',
      'Please reply soon',
    ]) {
      assert.ok(!asksForReply(text), text);
    }
  });
});

describe('the rules', () => {
  it('have a date, a source each, and texts that fit under an option', () => {
    assert.match(knownSince, /^\d{4}-\d{2}-\d{2}$/);
    for (const name of deliveryRuleNames) {
      const { title, meaning, sources } = deliveryRules[name];
      assert.ok(title.length <= 75 && meaning.length <= 75, meaning);
      assert.ok(sources.length > 0 && sources.every((source) => /\d{4}-\d{2}-\d{2}$/.test(source)), name);
    }
  });

  it('give no prefix to two networks', () => {
    const prefixes = Object.values(networkPrefixes).flat();
    assert.equal(new Set(prefixes).size, prefixes.length);
    assert.ok(!prefixes.some((prefix) => isQuietOperator(provenNumberSchema.parse(`+234${prefix}0000000`))));
  });

  it('know the recipients in Nigeria, and their networks by prefix', () => {
    const numbers = ['+2348031234567', '+2348051234567', '+2348021234567', '+2348091234567', '+233241234567'];
    assert.deepEqual(nigerianAmong(numbers.map((number) => phoneNumberSchema.parse(number))), {
      count: 4,
      quiet: 1,
      networks: ['9mobile', 'Airtel', 'Glo', 'MTN'],
    });
    assert.deepEqual(nigerianAmong([]), { count: 0, quiet: 0, networks: [] });
  });
});
