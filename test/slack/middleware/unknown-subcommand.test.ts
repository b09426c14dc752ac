import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findMeantSubcommand, unknownSubcommand } from '../../../src/slack/middleware/unknown-subcommand.ts';

const subcommands = ['bulk', 'bulk list', 'history …', 'do-not-contact …', 'help'];
const meant = (text: string) => findMeantSubcommand(text, subcommands)?.meant;

describe('a subcommand that is not known', () => {
  it('is taken for the one it is a misspelling or the beginning of', () => {
    assert.equal(meant('hlep'), 'help');
    assert.equal(meant('bulk lst'), 'bulk list');
    assert.equal(meant('Hist'), 'history');
    assert.equal(meant('histroy 0803 123 4567'), 'history 0803 123 4567');
    assert.equal(meant('dont-contact'), 'do-not-contact');
  });

  it('is not taken for one when it begins a sentence', () => {
    for (const text of [
      'His order is ready',
      'Held at the counter',
      'Victory is ours',
      'Hello',
      'Bull sale',
    ]) {
      assert.equal(meant(text), undefined, text);
    }
  });

  it('is named alone, with what was probably meant', () => {
    const text = (typed: string) => unknownSubcommand('/sms', typed, { command: 'sms', subcommands }).text;
    assert.equal(text('bulk lst'), 'I don’t know “lst”. Did you mean `/sms bulk list`?');
    assert.equal(text('foo'), 'I don’t know “foo”. Type `/sms help` to see what /sms can do.');
    assert.ok(text('x'.repeat(20_000)).length < 300);
  });

  it('differs from what is known', () => {
    fc.assert(
      fc.property(fc.constantFrom('bulk', 'bulk list', 'history', 'help', 'HELP'), (known) =>
        assert.notEqual(meant(known)?.toLowerCase(), known.toLowerCase()),
      ),
    );
  });
});
