import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  exampleOptOutLink,
  exampleToken,
  hasOptOutLink,
  readOptOutToken,
  tagBytes,
  tokenLength,
  withOptOutToken,
  writeOptOutToken,
} from '../../../src/domain/messages/opt-out-link.ts';
import { countPages } from '../../../src/domain/messages/pages.ts';
import { anyCharacter } from '../../support/arbitrary-text.ts';

const tokens = fc.record({
  campaign: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  chunk: fc.integer({ min: 0, max: 2 ** 20 - 1 }),
  tag: fc.uint8Array({ minLength: tagBytes, maxLength: tagBytes }),
});

describe('the token of an opt-out link', () => {
  it('is read as it was written, and has one length, and letters and digits alone', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        const text = writeOptOutToken(token);
        assert.match(text, /^[0-9A-Za-z]{25}$/);
        const read = readOptOutToken(text);
        assert.deepEqual({ ...read, tag: [...(read?.tag ?? [])] }, { ...token, tag: [...token.tag] });
      }),
    );
  });

  it('has one way of writing: what is read is written the same', () => {
    const alphabet = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const unit = fc.constantFrom(...alphabet);
    fc.assert(
      fc.property(fc.string({ unit, minLength: tokenLength, maxLength: tokenLength }), (text) => {
        const read = readOptOutToken(text);
        assert.ok(read === undefined || writeOptOutToken(read) === text);
      }),
    );
  });

  it('is no other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        assert.ok(/^[0-9A-Za-z]{25}$/.test(text) || readOptOutToken(text) === undefined);
      }),
    );
    for (const text of [
      '',
      'a',
      '0'.repeat(24),
      '0'.repeat(26),
      'Z'.repeat(25),
      '０'.repeat(25),
      exampleToken,
    ]) {
      assert.equal(readOptOutToken(text), undefined, text);
    }
  });

  it('is refused where a number has no room', () => {
    const tag = new Uint8Array(tagBytes);
    assert.throws(() => writeOptOutToken({ campaign: 2 ** 32, chunk: 0, tag }), RangeError);
    assert.throws(() => writeOptOutToken({ campaign: 0, chunk: 2 ** 20, tag }), RangeError);
    assert.throws(() => writeOptOutToken({ campaign: 0, chunk: 0, tag: tag.slice(1) }), RangeError);
  });
});

describe('a text with an opt-out link', () => {
  it('has the same pages for each recipient as with the example', () => {
    fc.assert(
      fc.property(
        tokens,
        fc.constantFrom('https://sms.acme.example', 'sms.acme.example'),
        (token, address) => {
          const example = `Sale! Stop: ${exampleOptOutLink(address)}`;
          const own = withOptOutToken(example, writeOptOutToken(token));
          assert.ok(hasOptOutLink(example) && !hasOptOutLink(own));
          assert.deepEqual(countPages(own), countPages(example));
        },
      ),
    );
  });

  it('keeps 160 characters per page where the address has no https://', () => {
    assert.equal(countPages(exampleOptOutLink('sms.acme.example')).perPage, 160);
    assert.equal(countPages(exampleOptOutLink('https://sms.acme.example')).perPage, 70);
  });
});
