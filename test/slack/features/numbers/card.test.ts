import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { forReaders } from '../../../../src/slack/block-kit/message.ts';
import { sharedCard } from '../../../../src/slack/features/numbers/card.ts';
import { number, wildWords } from '../../../support/slack/example-words.ts';
import { cardOf } from '../examples/numbers.ts';

describe('the card of a number', () => {
  it('says once why neither network nor Do-Not-Disturb is known', () => {
    const problem = 'The provider did not answer in time.';
    const textOf = (reason: string) =>
      JSON.stringify(
        forReaders(
          'person',
          sharedCard(
            {
              found: {
                network: { kind: 'failed', problem: reason },
                dnd: { number, dnd: 'unknown', problem },
                advice: { kind: 'dnd_unknown' },
              },
              listed: undefined,
            },
            'U0AGENT',
          ),
        ),
      );
    assert.equal(textOf(problem).split(problem).length, 2);
    assert.match(textOf(problem), /\*Network and Do-Not-Disturb unknown\.\*/);
    assert.match(textOf('Another.'), /\*Network unknown\.\* Another[\s\S]*\*Do-Not-Disturb unknown\.\*/);
  });

  it('shows a full number in a channel only on request', () => {
    fc.assert(
      fc.property(cardOf(wildWords), (given) => {
        const inChannel = (showsNumbers: boolean) =>
          JSON.stringify(forReaders('channel', sharedCard(given, 'U0AGENT', showsNumbers)));
        assert.doesNotMatch(inChannel(false), /1234567|123\s4567/);
        assert.match(inChannel(true), /123\s4567/);
      }),
    );
  });
});
